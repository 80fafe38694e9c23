//! [`Jobs`]: a scheduler's jobs, of which none ends well after a stage had to begin again.
//!
//! Where an executor is lost, Ballista 55.0 lets a running stage that has lost inputs begin again, with all its tasks. What the stage's first
//! attempt has sent on from other executors stays with the stages behind it (`rollback_running_stage` in its
//! `state/execution_graph.rs`), so that they read these rows twice; or no task is bound again, and the query never ends. The attempt's
//! number tells. A stage that has lost tasks but no inputs goes on, does these tasks again, and is right.

use super::executors::Executors;
use async_trait::async_trait;
use ballista_core::error::Result;
use ballista_core::serde::protobuf::JobStatus;
use ballista_core::serde::protobuf::job_status::Status;
use ballista_core::{JobId, JobStatusSubscriber};
use ballista_scheduler::cluster::{JobState, JobStateEventStream};
use ballista_scheduler::scheduler_server::SchedulerServer;
use ballista_scheduler::state::execution_graph::ExecutionGraphBox;
use ballista_scheduler::state::execution_stage::ExecutionStage;
use datafusion::prelude::{SessionConfig, SessionContext};
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::interval;

const REFUSED: &str = "an executor was lost and a stage had to begin again, so rows may have been counted twice: run the query again";

/// How often running jobs are looked at.
const PERIOD: Duration = Duration::from_secs(1);

/// Ballista's own jobs, except those that had to begin again.
pub(super) struct Jobs(pub(super) Arc<dyn JobState>);

/// Cancels jobs that had to begin again, for as long as the scheduler runs.
pub(super) async fn cancel(
    executors: &Executors,
    scheduler: SchedulerServer<LogicalPlanNode, PhysicalPlanNode>,
) -> Result<()> {
    let mut ticks = interval(PERIOD);
    loop {
        ticks.tick().await;
        for (job, info) in executors.running_jobs().iter() {
            // Not held while the scheduler is told: it may wait for the graph.
            let has_to_end = {
                let graph = info.execution_graph.read().await;
                matches!(graph.status().status, Some(Status::Running(_))) && began_again(&graph)
            };
            if has_to_end {
                scheduler.cancel_job(job.clone()).await?;
            }
        }
    }
}

fn began_again(graph: &ExecutionGraphBox) -> bool {
    graph.stages().values().any(|stage| attempt(stage) > 0)
}

/// Which attempt a stage is at, from 0 on.
fn attempt(stage: &ExecutionStage) -> usize {
    match stage {
        ExecutionStage::UnResolved(stage) => stage.stage_attempt_num,
        ExecutionStage::Resolved(stage) => stage.stage_attempt_num,
        ExecutionStage::Running(stage) => stage.stage_attempt_num,
        ExecutionStage::Successful(stage) => stage.stage_attempt_num,
        ExecutionStage::Failed(stage) => stage.stage_attempt_num,
    }
}

#[async_trait]
impl JobState for Jobs {
    /// This is what tells clients of a job's end.
    async fn save_job(&self, job_id: &JobId, graph: &ExecutionGraphBox) -> Result<()> {
        let is_over = match &graph.status().status {
            Some(Status::Successful(_)) => true,
            // By `cancel`. Another failure keeps its reason.
            Some(Status::Failed(failed)) => failed.error == "Cancelled",
            _ => false,
        };
        if is_over && began_again(graph) {
            let mut refused = graph.cloned();
            refused.fail_job(REFUSED.to_owned());
            return self.0.save_job(job_id, &refused).await;
        }
        self.0.save_job(job_id, graph).await
    }

    fn accept_job(&self, job_id: &JobId, job_name: &str, queued_at: u64) -> Result<()> {
        self.0.accept_job(job_id, job_name, queued_at)
    }

    fn pending_job_number(&self) -> usize {
        self.0.pending_job_number()
    }

    async fn submit_job(
        &self,
        job_id: JobId,
        graph: &ExecutionGraphBox,
        subscriber: Option<JobStatusSubscriber>,
    ) -> Result<()> {
        self.0.submit_job(job_id, graph, subscriber).await
    }

    async fn get_jobs(&self) -> Result<HashSet<JobId>> {
        self.0.get_jobs().await
    }

    async fn get_all_jobs(&self) -> Result<HashSet<JobId>> {
        self.0.get_all_jobs().await
    }

    async fn get_job_status(&self, job_id: &JobId) -> Result<Option<JobStatus>> {
        self.0.get_job_status(job_id).await
    }

    async fn get_execution_graph(&self, job_id: &JobId) -> Result<Option<ExecutionGraphBox>> {
        self.0.get_execution_graph(job_id).await
    }

    async fn fail_unscheduled_job(&self, job_id: &JobId, reason: String) -> Result<()> {
        self.0.fail_unscheduled_job(job_id, reason).await
    }

    async fn remove_job(&self, job_id: &JobId) -> Result<()> {
        self.0.remove_job(job_id).await
    }

    async fn try_acquire_job(&self, job_id: &JobId) -> Result<Option<ExecutionGraphBox>> {
        self.0.try_acquire_job(job_id).await
    }

    async fn job_state_events(&self) -> Result<JobStateEventStream> {
        self.0.job_state_events().await
    }

    async fn create_or_update_session(
        &self,
        session_id: &str,
        config: &SessionConfig,
    ) -> Result<Arc<SessionContext>> {
        self.0.create_or_update_session(session_id, config).await
    }

    async fn remove_session(&self, session_id: &str) -> Result<()> {
        self.0.remove_session(session_id).await
    }

    fn produce_config(&self) -> SessionConfig {
        self.0.produce_config()
    }
}
