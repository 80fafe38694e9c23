//! Processes of a cluster, and clients that ask it.

use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

pub fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lthash-sql"));
    command.env_remove("RUST_LOG").stdin(Stdio::null());
    command
}

/// Ports that nothing listens on.
pub fn free_ports<const N: usize>() -> [u16; N] {
    let listeners = [(); N].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    listeners
        .each_ref()
        .map(|listener| listener.local_addr().unwrap().port())
}

/// A process that ends with the test.
pub struct Process(Child);

impl Process {
    pub fn start(command: &mut Command, log: PathBuf) -> Process {
        let log = std::fs::File::create(log).unwrap();
        Process(
            command
                .stdout(log.try_clone().unwrap())
                .stderr(log)
                .spawn()
                .unwrap(),
        )
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub fn wait_for(what: &str, mut is_there: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_there() {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "{what} does not come up"
        );
        sleep(Duration::from_millis(100));
    }
}

pub struct Cluster {
    folder: tempfile::TempDir,
    pub port: u16,
    executor_timeout: Duration,
    pub scheduler: Option<Process>,
    pub executors: Vec<Process>,
}

impl Cluster {
    /// Starts a scheduler and two executors. An executor that is not heard of for `executor_timeout` is taken for dead.
    pub fn start(executor_timeout: Duration) -> Cluster {
        let [port] = free_ports();
        let mut cluster = Cluster {
            folder: tempfile::tempdir().unwrap(),
            port,
            executor_timeout,
            scheduler: None,
            executors: Vec::new(),
        };
        cluster.start_scheduler();
        for _ in 0..2 {
            cluster.start_executor();
        }
        cluster
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn start_scheduler(&mut self) {
        let port = self.port.to_string();
        let timeout = self.executor_timeout.as_secs().to_string();
        let scheduler = Process::start(
            program()
                .args([
                    "scheduler",
                    "--bind-host",
                    "127.0.0.1",
                    "--bind-port",
                    &port,
                ])
                .args([
                    "--executor-timeout-seconds",
                    &timeout,
                    "--expire-dead-executor-interval-seconds",
                    "1",
                    "--executor-termination-grace-period",
                    "1",
                    "--no-executors-grace-period-seconds",
                    "20",
                ]),
            self.path("scheduler.log"),
        );
        self.scheduler = Some(scheduler);
        wait_for("the scheduler", || {
            TcpStream::connect(("127.0.0.1", self.port)).is_ok()
        });
    }

    pub fn start_executor(&mut self) {
        let [flight, grpc, health] = free_ports::<3>();
        let number = self.executors.len();
        let work = self.path(&format!("work-{number}"));
        std::fs::create_dir_all(&work).unwrap();
        let executor = Process::start(
            program()
                .args([
                    "executor",
                    "--bind-host",
                    "127.0.0.1",
                    "--external-host",
                    "127.0.0.1",
                    "--vcores",
                    "1",
                ])
                .args([
                    "--scheduler-host",
                    "127.0.0.1",
                    "--scheduler-port",
                    &self.port.to_string(),
                ])
                .args([
                    "--bind-port",
                    &flight.to_string(),
                    "--bind-grpc-port",
                    &grpc.to_string(),
                ])
                .args([
                    "--bind-health-port",
                    &health.to_string(),
                    "--executor-heartbeat-interval-seconds",
                    "1",
                ])
                .arg("--work-dir")
                .arg(work),
            self.path(&format!("executor-{number}.log")),
        );
        self.executors.push(executor);
        wait_for("an executor", || {
            TcpStream::connect(("127.0.0.1", flight)).is_ok()
        });
    }

    /// A client of the cluster, to run statements.
    pub fn client(&self, settings: &[&str], sql: &str) -> Command {
        let mut command = program();
        command.args([
            "--format",
            "csv",
            "--cluster",
            &format!("127.0.0.1:{}", self.port),
        ]);
        for setting in settings {
            command.args(["-c", setting]);
        }
        command.args(["-c", sql]);
        command
    }

    pub fn run(&self, settings: &[&str], sql: &str) -> String {
        printed(&mut self.client(settings, sql))
    }
}

pub fn printed(command: &mut Command) -> String {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().unwrap();
    assert!(
        status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&stderr)
    );
    String::from_utf8(stdout).unwrap()
}

/// The output of a client, which has to end by itself.
pub fn finished(mut client: Child) -> Output {
    let start = Instant::now();
    while client.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(120) {
            client.kill().unwrap();
            panic!("a query does not end");
        }
        sleep(Duration::from_millis(100));
    }
    client.wait_with_output().unwrap()
}

/// On one machine.
pub fn alone(sql: &str) -> String {
    printed(program().args(["--format", "csv", "-c", sql]))
}
