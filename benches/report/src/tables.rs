//! The tables: for each group one, with a row for each contender of a case.

use crate::results::Measured;

/// All groups in Markdown, under their processor's name.
pub fn markdown(results: &[Measured]) -> String {
    let mut text = String::new();
    let (mut processor, mut group) = ("", "");
    for case in results.chunk_by(|a, b| (&a.group, &a.case) == (&b.group, &b.case)) {
        let first = &case[0];
        if processor != first.processor {
            processor = &first.processor;
            text += &format!("\n## {processor}\n");
        }
        if group != first.group {
            group = &first.group;
            text += &format!(
                "\n### {group}\n\n| case | contender | cycles | ns | times as fast |\n| --- | --- | ---: | ---: | ---: |\n"
            );
        }
        for measured in case {
            text += &format!(
                "| {} | {} | {} | {} | {} |\n",
                measured.case,
                measured.contender,
                measured.cycles,
                measured.nanoseconds,
                measured.ratio
            );
        }
    }
    text
}
