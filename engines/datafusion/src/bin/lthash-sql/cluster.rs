//! The program's part in a Ballista cluster: client, scheduler and executor.

use crate::settings::settings;
use ballista_core::config::LogRotationPolicy;
use ballista_core::error::BallistaError;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_executor::health::spawn_health_server;
use ballista_scheduler::config::SchedulerConfig;
use clap::Subcommand;
use datafusion::common::config_datafusion_err;
use datafusion::error::{DataFusionError, Result};
use datafusion::prelude::SessionContext;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::sync::oneshot;
use tracing_appender::rolling;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::writer::BoxMakeWriter;

#[derive(Debug, Subcommand)]
pub enum Service {
    /// Starts a Ballista scheduler that knows these functions
    Scheduler(Box<ballista_scheduler::config::Config>),
    /// Starts a Ballista executor that knows these functions
    Executor(Box<ballista_executor::config::Config>),
}

/// A session whose queries run on the cluster with this scheduler.
pub async fn connect(scheduler: &str) -> Result<SessionContext> {
    lthash_datafusion::cluster::connect(scheduler, settings).await
}

/// Runs until it is told to stop.
pub async fn serve(service: Service) -> Result<()> {
    let served = match service {
        Service::Scheduler(options) => scheduler(*options).await,
        Service::Executor(options) => executor(*options).await,
    };
    served.map_err(|error| DataFusionError::External(Box::new(error)))
}

async fn scheduler(options: ballista_scheduler::config::Config) -> Result<(), BallistaError> {
    let prefix = format!(
        "scheduler_{}_{}_{}",
        options.namespace, options.external_host, options.bind_port
    );
    let logs = Logs {
        filter: &options.log_level_setting,
        folder: options.log_dir.as_deref(),
        prefix: &prefix,
        rotation: &options.log_rotation_policy,
        print_thread_info: options.print_thread_info,
    };
    logs.start();
    let address = address(&options.bind_host, options.bind_port)?;
    let config = lthash_datafusion::cluster::scheduler(SchedulerConfig::try_from(options)?);
    lthash_datafusion::cluster::start_scheduler(config, address).await
}

async fn executor(options: ballista_executor::config::Config) -> Result<(), BallistaError> {
    let health_address = address(&options.bind_host, options.bind_health_port)?;
    let config = lthash_datafusion::cluster::executor(ExecutorProcessConfig::try_from(options)?)?;
    let logs = Logs {
        filter: &config.special_mod_log_level,
        folder: config.log_dir.as_deref(),
        prefix: &config.log_file_name_prefix(),
        rotation: &config.log_rotation_policy,
        print_thread_info: config.print_thread_info,
    };
    logs.start();
    let (stop, stopped) = oneshot::channel();
    let health = spawn_health_server(health_address, config.health.clone(), stopped);
    let result = start_executor_process(Arc::new(config)).await;
    let _ = stop.send(());
    let _ = health.await;
    result
}

fn address(host: &str, port: u16) -> Result<SocketAddr, BallistaError> {
    format!("{host}:{port}")
        .parse()
        .map_err(|error| config_datafusion_err!("{host}:{port}: {error}").into())
}

/// Logs as Ballista's own programs keep them: RUST_LOG goes before the option.
struct Logs<'a> {
    filter: &'a str,
    folder: Option<&'a str>,
    prefix: &'a str,
    rotation: &'a LogRotationPolicy,
    print_thread_info: bool,
}

impl Logs<'_> {
    fn start(&self) {
        let filter =
            std::env::var(EnvFilter::DEFAULT_ENV).unwrap_or_else(|_| self.filter.to_owned());
        let rotation = match self.rotation {
            LogRotationPolicy::Minutely => rolling::minutely,
            LogRotationPolicy::Hourly => rolling::hourly,
            LogRotationPolicy::Daily => rolling::daily,
            LogRotationPolicy::Never => rolling::never,
        };
        let writer = match self.folder {
            Some(folder) => BoxMakeWriter::new(rotation(folder, self.prefix)),
            None => BoxMakeWriter::new(std::io::stdout),
        };
        tracing_subscriber::fmt()
            .with_ansi(false)
            .with_thread_names(self.print_thread_info)
            .with_thread_ids(self.print_thread_info)
            .with_env_filter(EnvFilter::new(filter))
            .with_writer(writer)
            .init();
    }
}
