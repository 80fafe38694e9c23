//! What hashing a table costs in SQL: TPC-H's lineitem at scale 1, all sixteen columns, in two Parquet files.
//!
//! `cargo bench -p lthash-datafusion --profile release --bench lineitem -- [FOLDER]`
//!
//! The files are made in the folder, or in Cargo's for temporary files, unless they are there. The contenders run in turn on two threads, eleven rounds:
//!
//! - `loop`: the reader of the crate `parquet` and `RowHasher`, a thread for each file, no engine;
//! - `lthash`: the query, in two partitions;
//! - `md5`: what is written where there is no such function, a hash of all columns cast to text and concatenated. A real one
//!   has to fold 64 bits of it at least; DataFusion cannot make a number of them, so the fold here is of a single byte.
//!
//! The ratios are those of a round to its `loop`: medians, with quartiles in brackets.

use datafusion::arrow::array::{Array, StringArray};
use datafusion::arrow::record_batch::RecordBatchReader;
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use datafusion::prelude::{ParquetReadOptions, SessionConfig, SessionContext};
use lthash::{Accumulator, LtHash};
use lthash_arrow::RowHasher;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;
use tpchgen::generators::LineItemGenerator;
use tpchgen_arrow::LineItemArrow;

const SCALE: f64 = 1.0;
const PARTS: i32 = 2;
const ROUNDS: usize = 11;

fn file(folder: &Path, part: i32) -> PathBuf {
    folder.join(format!("{part}.parquet"))
}

fn make_file(folder: &Path, part: i32) {
    let path = file(folder, part);
    if path.exists() {
        return;
    }
    let batches = LineItemArrow::new(LineItemGenerator::new(SCALE, part, PARTS));
    let unfinished = path.with_extension("unfinished");
    let to = File::create(&unfinished).unwrap();
    let mut writer = ArrowWriter::try_new(to, batches.schema(), None).unwrap();
    for batch in batches {
        writer.write(&batch.unwrap()).unwrap();
    }
    writer.close().unwrap();
    std::fs::rename(unfinished, path).unwrap();
}

fn hash_file(path: PathBuf) -> LtHash {
    let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    let batches = builder.with_batch_size(8192).build().unwrap();
    let mut hasher = RowHasher::try_new(&batches.schema()).unwrap();
    let mut accumulator = Accumulator::new();
    for batch in batches {
        hasher.insert(&batch.unwrap(), &mut accumulator).unwrap();
    }
    accumulator.finish()
}

fn hash_by_loop(folder: &Path) -> String {
    let parts = (1..=PARTS).map(|part| {
        let path = file(folder, part);
        thread::spawn(|| hash_file(path))
    });
    let threads: Vec<_> = parts.collect();
    let hashes = threads.into_iter().map(|it| it.join().unwrap());
    let sum = hashes.reduce(|sum, hash| sum + &hash).unwrap();
    sum.checksum().to_string()
}

async fn first_value(ctx: &SessionContext, sql: &str) -> String {
    let batches = ctx.sql(sql).await.unwrap().collect().await.unwrap();
    let column = batches[0].column(0);
    match column.as_any().downcast_ref::<StringArray>() {
        Some(text) => text.value(0).to_owned(),
        None => String::new(),
    }
}

fn quartiles(mut ratios: Vec<f64>) -> String {
    ratios.sort_by(f64::total_cmp);
    let at = |quarter: usize| ratios[(ratios.len() - 1) * quarter / 4];
    format!("{:.2} ({:.2}–{:.2})", at(2), at(1), at(3))
}

#[tokio::main(worker_threads = 2)]
async fn main() {
    let folder = std::env::args().skip(1).find(|it| !it.starts_with("--"));
    let folder = PathBuf::from(folder.as_deref().unwrap_or(env!("CARGO_TARGET_TMPDIR")));
    std::fs::create_dir_all(&folder).unwrap();
    thread::scope(|scope| {
        for part in 1..=PARTS {
            let folder = &folder;
            scope.spawn(move || make_file(folder, part));
        }
    });

    let ctx = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(2));
    lthash_datafusion::register_all(&ctx).unwrap();
    ctx.register_parquet(
        "lineitem",
        folder.to_str().unwrap(),
        ParquetReadOptions::default(),
    )
    .await
    .unwrap();
    let columns = ctx.table("lineitem").await.unwrap();
    let texts = columns.schema().fields().iter();
    let texts: Vec<_> = texts
        .map(|it| format!("CAST({} AS VARCHAR)", it.name()))
        .collect();
    let md5 = format!(
        "SELECT sum(ascii(md5(concat_ws('|', {})))) FROM lineitem",
        texts.join(", ")
    );
    let lthash = "SELECT lthash(*) FROM lineitem";

    // Files are in the system's cache from here on.
    let expected = hash_by_loop(&folder);
    let (mut seconds, mut of_lthash, mut of_md5) = (vec![], vec![], vec![]);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        assert_eq!(hash_by_loop(&folder), expected);
        let by_loop = start.elapsed().as_secs_f64();
        let start = Instant::now();
        assert_eq!(first_value(&ctx, lthash).await, expected);
        of_lthash.push(start.elapsed().as_secs_f64() / by_loop);
        let start = Instant::now();
        first_value(&ctx, &md5).await;
        of_md5.push(start.elapsed().as_secs_f64() / by_loop);
        seconds.push(by_loop);
    }
    println!("loop: {} s", quartiles(seconds));
    let per_lthash = of_md5
        .iter()
        .zip(&of_lthash)
        .map(|(md5, lthash)| md5 / lthash)
        .collect();
    println!("lthash: {} times loop", quartiles(of_lthash));
    println!(
        "md5: {} times loop, {} times lthash",
        quartiles(of_md5),
        quartiles(per_lthash)
    );
}
