//! A Ballista cluster on loopback: a scheduler and two executors as processes, over sixteen Parquet files.
#![cfg(feature = "cluster")]

mod harness;
mod lineitem;

use harness::{Cluster, alone, finished, free_ports, wait_for};
use std::net::TcpStream;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// As long as a busy machine may stop a process.
const PATIENT: Duration = Duration::from_secs(120);

const ROWS: u32 = 160_000;

/// Sixteen Parquet files of one table with many types, NULLs among them.
fn make_table(folder: &Path) -> String {
    for part in 0..16 {
        let (from, to) = (ROWS / 16 * part, ROWS / 16 * (part + 1));
        let sql = format!(
            "COPY (SELECT value AS id, value / 4 AS k, value % 10 AS d, nullif('name ' || (value % 1000), 'name 7') AS name, \
             CAST(value AS DECIMAL(15, 2)) / 100 AS price, CAST(value AS DOUBLE) / 7 AS ratio, \
             DATE '1992-01-01' + CAST(value % 2500 AS INT) AS day \
             FROM range({from}, {to})) TO '{}/{part}.parquet'",
            folder.display()
        );
        alone(&sql);
    }
    format!("'{}/'", folder.display())
}

#[test]
fn a_cluster_gives_what_one_machine_gives() {
    let mut cluster = Cluster::start(PATIENT);
    let table = make_table(&cluster.path("table"));

    // One checksum, by every way that shuffles can take.
    let sql = format!("SELECT count(*) AS n, lthash(*) AS c FROM {table}");
    let expected = alone(&sql);
    assert!(expected.contains(&ROWS.to_string()), "{expected}");
    let ways = [
        &[][..],
        &["SET ballista.planner.adaptive.enabled = true"],
        &["SET ballista.shuffle.force_remote_read = true"],
        &[
            "SET ballista.shuffle.force_remote_read = true",
            "SET ballista.shuffle.remote_read_prefer_flight = true",
        ],
        &["SET datafusion.execution.target_partitions = 3"],
    ];
    for settings in ways {
        assert_eq!(cluster.run(settings, &sql), expected, "{settings:?}");
    }

    // More groups than a message has room for: 16 MiB are 8192 states.
    let groups = format!(
        "SELECT count(*) AS n, sum(n) AS r, lthash(k, c) AS c FROM (SELECT k, count(*) AS n, lthash(*) AS c FROM {table} GROUP BY k)"
    );
    let expected = alone(&groups);
    assert!(expected.contains(&(ROWS / 4).to_string()), "{expected}");
    for settings in ways {
        assert_eq!(cluster.run(settings, &groups), expected, "{settings:?}");
    }

    for sql in [
        format!(
            "SELECT d, lthash(id, name), lthash(ratio) FILTER (WHERE id % 2 = 0) FROM {table} GROUP BY d ORDER BY d"
        ),
        format!(
            "SELECT lthash_checksum(lthash_merge(s)) FROM (SELECT d, lthash_state(*) AS s FROM {table} GROUP BY d)"
        ),
        format!(
            "SELECT lthash(*) FROM (SELECT * FROM {table} WHERE id < 1000 UNION ALL SELECT * FROM {table} WHERE id >= 1000)"
        ),
        format!(
            "SELECT count(*), lthash(*) FROM (SELECT lthash_row(*) AS r FROM {table} EXCEPT ALL SELECT lthash_row(*) FROM {table} WHERE id > 9)"
        ),
        format!(
            "SELECT id, lthash(name) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS c FROM {table} WHERE id < 50 ORDER BY id"
        ),
        format!("SELECT lthash(*) FROM {table} WHERE id < 0"),
    ] {
        assert_eq!(cluster.run(&[], &sql), alone(&sql), "{sql}");
    }

    // What one machine refuses, a cluster refuses.
    let refused = cluster
        .client(
            &[],
            &format!("SELECT lthash_merge(arrow_cast(name, 'Binary')) FROM {table}"),
        )
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("lthash_merge"));

    // A scheduler that is started again finds its executors again.
    cluster.scheduler = None;
    cluster.start_scheduler();
    let expected = alone(&sql);
    wait_for("the cluster after its scheduler", || {
        let output = cluster.client(&[], &sql).output().unwrap();
        if output.status.success() {
            assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
        }
        output.status.success()
    });
}

#[test]
fn an_executor_that_dies_makes_no_wrong_answer() {
    let mut cluster = Cluster::start(Duration::from_secs(5));
    let table = make_table(&cluster.path("table"));
    let groups = format!(
        "SELECT count(*) AS n, sum(n) AS r, lthash(k, c) AS c FROM (SELECT k, count(*) AS n, lthash(*) AS c FROM {table} GROUP BY k)"
    );
    let expected = alone(&groups);
    let whole = Instant::now();
    assert_eq!(cluster.run(&[], &groups), expected);
    let whole = whole.elapsed();
    let mut right = 0;
    for fraction in [0.2, 0.5, 0.8] {
        let client = cluster
            .client(&[], &groups)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        sleep(whole.mul_f64(fraction));
        // Killed, not stopped: it says no farewell.
        drop(cluster.executors.remove(0));
        let output = finished(client);
        if output.status.success() {
            assert_eq!(
                String::from_utf8(output.stdout).unwrap(),
                expected,
                "killed after {fraction} of the query"
            );
            right += 1;
        } else {
            assert_eq!(
                (output.status.code(), &output.stdout[..]),
                (Some(2), &b""[..])
            );
        }
        cluster.start_executor();
    }
    println!("{right} of 3 queries were right, the others an error");
    wait_for("the cluster after all", || {
        cluster.client(&[], &groups).output().unwrap().stdout == expected.as_bytes()
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn functions_of_another_version_are_refused() {
    use ballista::prelude::SessionConfigExt;
    use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
    use datafusion::prelude::SessionConfig;
    use lthash_datafusion::cluster::{LogicalCodec, PhysicalCodec, connect, executor};
    use std::sync::Arc;

    const OLDER: &str = "lthash-datafusion 0.0.9";
    let mut cluster = Cluster::start(PATIENT);
    let table = make_table(&cluster.path("table"));
    let sql = format!("SELECT lthash(id) FROM {table}");
    let address = format!("127.0.0.1:{}", cluster.port);

    let ctx = connect(&address, |config| config)
        .await
        .unwrap()
        .enable_url_table();
    assert_eq!(
        ctx.sql(&sql).await.unwrap().collect().await.unwrap()[0].num_rows(),
        1
    );

    // A client of another version, by its codec.
    let older = |config: SessionConfig| {
        config.with_ballista_logical_extension_codec(Arc::new(LogicalCodec::with_version(OLDER)))
    };
    let ctx_older = connect(&address, older).await.unwrap().enable_url_table();
    let error = ctx_older
        .sql(&sql)
        .await
        .unwrap()
        .collect()
        .await
        .unwrap_err()
        .to_string();
    assert!(
        error.contains(OLDER) && error.contains("one version"),
        "{error}"
    );

    // Executors of another version.
    cluster.executors.clear();
    let [port, grpc_port] = free_ports();
    let config = ExecutorProcessConfig {
        port,
        grpc_port,
        external_host: Some("127.0.0.1".into()),
        scheduler_host: "127.0.0.1".into(),
        scheduler_port: cluster.port,
        vcores: 1,
        work_dir: Some(cluster.path("work-older").display().to_string()),
        ..ExecutorProcessConfig::default()
    };
    std::fs::create_dir(cluster.path("work-older")).unwrap();
    let mut config = executor(config).unwrap();
    config.override_physical_codec = Some(Arc::new(PhysicalCodec::with_version(OLDER)));
    let process = tokio::spawn(async move {
        start_executor_process(Arc::new(config))
            .await
            .map_err(|error| error.to_string())
    });
    wait_for("the older executor", || {
        TcpStream::connect(("127.0.0.1", grpc_port)).is_ok()
    });
    let error = ctx
        .sql(&sql)
        .await
        .unwrap()
        .collect()
        .await
        .unwrap_err()
        .to_string();
    // Ballista leaves the reason in the executor's log.
    assert!(error.contains("rejected by executor"), "{error}");
    process.abort();
}
