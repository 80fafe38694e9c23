//! [`Executors`]: what a scheduler knows of its executors, which also keeps the jobs at hand that tasks were last bound of.

use async_trait::async_trait;
use ballista_core::JobId;
use ballista_core::error::Result;
use ballista_core::serde::protobuf::ExecutorHeartbeat;
use ballista_core::serde::scheduler::{ExecutorData, ExecutorMetadata};
use ballista_scheduler::cluster::{BoundTask, ClusterState, ClusterStateEventStream, ExecutorSlot};
use ballista_scheduler::config::TaskDistributionPolicy;
use ballista_scheduler::state::task_manager::JobInfoCache;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

type RunningJobs = Arc<HashMap<JobId, JobInfoCache>>;

/// Ballista's own state. Its jobs' graphs are the only ones that a scheduler lends.
pub(super) struct Executors {
    inner: Arc<dyn ClusterState>,
    last: Mutex<RunningJobs>,
}

impl Executors {
    pub fn new(inner: Arc<dyn ClusterState>) -> Executors {
        Executors {
            inner,
            last: Mutex::default(),
        }
    }

    /// The jobs that ran when tasks were last bound.
    pub fn running_jobs(&self) -> RunningJobs {
        (self.last.lock().unwrap_or_else(PoisonError::into_inner)).clone()
    }
}

#[async_trait]
impl ClusterState for Executors {
    async fn bind_schedulable_tasks(
        &self,
        distribution: TaskDistributionPolicy,
        active_jobs: RunningJobs,
        executors: Option<HashSet<String>>,
    ) -> Result<Vec<BoundTask>> {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = active_jobs.clone();
        self.inner
            .bind_schedulable_tasks(distribution, active_jobs, executors)
            .await
    }

    async fn init(&self) -> Result<()> {
        self.inner.init().await
    }

    async fn unbind_tasks(&self, executor_slots: Vec<ExecutorSlot>) -> Result<()> {
        self.inner.unbind_tasks(executor_slots).await
    }

    async fn register_executor(
        &self,
        metadata: ExecutorMetadata,
        spec: ExecutorData,
    ) -> Result<()> {
        self.inner.register_executor(metadata, spec).await
    }

    async fn save_executor_metadata(&self, metadata: ExecutorMetadata) -> Result<()> {
        self.inner.save_executor_metadata(metadata).await
    }

    async fn get_executor_metadata(&self, executor_id: &str) -> Result<ExecutorMetadata> {
        self.inner.get_executor_metadata(executor_id).await
    }

    async fn registered_executor_metadata(&self) -> Vec<ExecutorMetadata> {
        self.inner.registered_executor_metadata().await
    }

    async fn save_executor_heartbeat(&self, heartbeat: ExecutorHeartbeat) -> Result<()> {
        self.inner.save_executor_heartbeat(heartbeat).await
    }

    async fn remove_executor(&self, executor_id: &str) -> Result<()> {
        self.inner.remove_executor(executor_id).await
    }

    fn executor_heartbeats(&self) -> HashMap<String, ExecutorHeartbeat> {
        self.inner.executor_heartbeats()
    }

    fn get_executor_heartbeat(&self, executor_id: &str) -> Option<ExecutorHeartbeat> {
        self.inner.get_executor_heartbeat(executor_id)
    }

    async fn cluster_state_events(&self) -> Result<ClusterStateEventStream> {
        self.inner.cluster_state_events().await
    }
}
