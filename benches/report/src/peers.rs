//! The peers' bench in short: how many times as fast as each case's first contender lthash is.

/// The table in Markdown, from what benches/peers printed.
pub fn summary(printed: &str) -> String {
    let mut text = String::from(
        "| | | cycles | against | times as fast |\n| --- | --- | ---: | --- | ---: |\n",
    );
    let (mut title, mut baseline) = ("", ("", ""));
    for line in printed.lines() {
        if let Some(heading) = line.strip_prefix("### ") {
            (title, baseline) = (heading, ("", ""));
        }
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let &[case, contender, cycles, _, ratio, _, _] = &cells[..] else {
            continue;
        };
        if baseline.0 != case {
            // The heading and the rule below it pass for a case of their own.
            baseline = (case, contender);
        } else if contender.starts_with("lthash avx") || contender == "two threads" {
            let against = baseline.1;
            text +=
                &format!("| {title}: {case} | {contender} | {cycles} | {against} | {ratio} |\n");
        }
    }
    text
}
