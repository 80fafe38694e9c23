//! The functions on one machine: in every kind of plan that DataFusion makes of them, and with bad input.

use datafusion::arrow::array::{Array, ArrayRef, AsArray, Int64Array, RecordBatch, StringArray};
use datafusion::arrow::compute::{cast, concat_batches};
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::arrow::util::display::array_value_to_string;
use datafusion::common::assert_contains;
use datafusion::datasource::MemTable;
use datafusion::error::Result;
use datafusion::execution::disk_manager::{DiskManagerBuilder, DiskManagerMode};
use datafusion::execution::memory_pool::FairSpillPool;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::physical_plan::collect;
use datafusion::prelude::{SessionConfig, SessionContext};
use lthash::LtHash;
use lthash::row::Row;
use std::sync::Arc;

/// By Python: the sum, with numpy, of blake3's 2048 bytes for cbor2.dumps([i, f"name {i % 7}"], canonical=True).
const THOUSAND: &str = "5397e55df0006b885f764b38164030c752815eea432a5062aa5e7c7d9384c14a";
/// And of [1, "pen"] and [2, None]; and of nothing.
const TWO: &str = "d288001dba821e24160775c949f8d2b9f4aab44b46eb1be6cc507b4213d512ba";
const NONE: &str = "be2a8de3dcf46c94ce85cdc8e07ac308f4d8a95490d956c38d780fd610db0813";

fn session(config: SessionConfig) -> SessionContext {
    let ctx = SessionContext::new_with_config(config);
    lthash_datafusion::register_all(&ctx).unwrap();
    ctx
}

fn plain() -> SessionContext {
    session(SessionConfig::new().with_target_partitions(4))
}

/// The results of a query as text, row by row.
async fn query(ctx: &SessionContext, sql: &str) -> Result<Vec<Vec<String>>> {
    let batches = ctx.sql(sql).await?.collect().await?;
    let mut rows = Vec::new();
    for batch in batches {
        for row in 0..batch.num_rows() {
            let values = batch
                .columns()
                .iter()
                .map(|column| match column.is_null(row) {
                    true => "NULL".to_owned(),
                    false => array_value_to_string(column, row).unwrap(),
                });
            rows.push(values.collect());
        }
    }
    Ok(rows)
}

async fn one(ctx: &SessionContext, sql: &str) -> String {
    let rows = query(ctx, sql)
        .await
        .unwrap_or_else(|error| panic!("{sql}: {error}"));
    assert_eq!((rows.len(), rows[0].len()), (1, 1), "{sql}");
    rows[0][0].clone()
}

/// The error of a query, planned or run.
async fn refused(ctx: &SessionContext, sql: &str) -> String {
    match query(ctx, sql).await {
        Ok(rows) => panic!("{sql} gives {rows:?}"),
        Err(error) => error.to_string(),
    }
}

fn batch(ids: std::ops::Range<i64>) -> RecordBatch {
    let names: StringArray = ids
        .clone()
        .map(|id| Some(format!("name {}", id % 7)))
        .collect();
    let schema = Schema::new(vec![
        Field::new("id", DataType::Int64, false),
        Field::new("name", DataType::Utf8, true),
    ]);
    let columns: Vec<ArrayRef> = vec![Arc::new(Int64Array::from_iter_values(ids)), Arc::new(names)];
    RecordBatch::try_new(Arc::new(schema), columns).unwrap()
}

/// A table `t` of ids below `rows`, in parts of batches.
fn register(ctx: &SessionContext, rows: i64, parts: i64, batch_rows: usize) {
    let part = |part: i64| {
        let batch = batch(part * rows / parts..(part + 1) * rows / parts);
        (0..batch.num_rows().div_ceil(batch_rows))
            .map(|index| {
                let start = index * batch_rows;
                batch.slice(start, batch_rows.min(batch.num_rows() - start))
            })
            .collect::<Vec<_>>()
    };
    let parts: Vec<_> = (0..parts).map(part).collect();
    let table = MemTable::try_new(batch(0..0).schema(), parts).unwrap();
    ctx.register_table("t", Arc::new(table)).unwrap();
}

fn element(id: i64) -> Vec<u8> {
    let mut row = Row::new();
    row.integer(id).text(&format!("name {}", id % 7));
    row.as_element().to_vec()
}

fn checksum(ids: impl IntoIterator<Item = i64>) -> String {
    let hash: LtHash = ids.into_iter().map(element).collect();
    hash.checksum().to_string()
}

#[tokio::test]
async fn checksums_are_those_of_another_implementation() {
    let ctx = plain();
    let values = "FROM (VALUES (1, 'pen'), (2, NULL)) t (id, name)";
    assert_eq!(
        one(&ctx, &format!("SELECT lthash(id, name) {values}")).await,
        TWO
    );
    assert_eq!(
        one(
            &ctx,
            &format!("SELECT lthash(id, name) {values} WHERE id > 2")
        )
        .await,
        NONE
    );
    assert_eq!(
        one(
            &ctx,
            &format!("SELECT encode(lthash_row(id, name), 'hex') {values} WHERE id = 1")
        )
        .await,
        "820163 70656e".replace(' ', "")
    );
    register(&ctx, 1000, 1, 8192);
    assert_eq!(one(&ctx, "SELECT lthash(id, name) FROM t").await, THOUSAND);
    assert_eq!(checksum(0..1000), THOUSAND);
}

#[tokio::test]
async fn any_partitions_and_batches_give_one_checksum() {
    for (partitions, parts, batch_rows) in
        [(1, 1, 1000), (1, 3, 7), (4, 1, 64), (4, 8, 33), (7, 5, 1)]
    {
        let ctx = session(
            SessionConfig::new()
                .with_target_partitions(partitions)
                .with_batch_size(50),
        );
        register(&ctx, 1000, parts, batch_rows);
        for sql in [
            "SELECT lthash(id, name) FROM t",
            "SELECT lthash(id, name ORDER BY name DESC) FROM t",
            "SELECT lthash(id, name) FROM (SELECT * FROM t ORDER BY name, id DESC)",
            "SELECT lthash(id, name) FROM (SELECT * FROM t WHERE id < 500 UNION ALL SELECT * FROM t WHERE id >= 500)",
            "SELECT lthash_checksum(lthash_state(id, name)) FROM t",
            "SELECT lthash_checksum(lthash_merge(s)) FROM (SELECT lthash_state(id, name) AS s FROM t GROUP BY id % 13)",
            "SELECT lthash(id, name) FILTER (WHERE id < 1000) FROM t",
        ] {
            assert_eq!(
                one(&ctx, sql).await,
                THOUSAND,
                "{sql}, {partitions} partitions, {parts} parts of {batch_rows}"
            );
        }
    }
}

#[tokio::test]
async fn groups_are_hashed_apart() {
    for partitions in [1, 4] {
        let ctx = session(
            SessionConfig::new()
                .with_target_partitions(partitions)
                .with_batch_size(100),
        );
        register(&ctx, 3000, 4, 500);
        let expected: Vec<Vec<String>> = (0..11)
            .map(|key| {
                let ids = || (0..3000).filter(move |id| id % 11 == key);
                vec![
                    key.to_string(),
                    checksum(ids()),
                    checksum(ids().filter(|id| id % 2 == 0)),
                    ids().count().to_string(),
                ]
            })
            .collect();
        let sql = "SELECT id % 11, lthash(id, name), lthash(id, name) FILTER (WHERE id % 2 = 0), count(*) \
                   FROM t GROUP BY id % 11 ORDER BY 1";
        assert_eq!(query(&ctx, sql).await.unwrap(), expected);
    }
}

#[tokio::test]
async fn filters_that_are_null_or_empty_let_nothing_through() {
    let ctx = plain();
    register(&ctx, 100, 3, 10);
    for filter in ["id < 0", "nullif(id, id) = 1", "false"] {
        let sql = format!("SELECT lthash(id, name) FILTER (WHERE {filter}) FROM t");
        assert_eq!(one(&ctx, &sql).await, NONE, "{filter}");
        let sql = format!(
            "SELECT DISTINCT lthash(id, name) FILTER (WHERE {filter}) FROM t GROUP BY id % 3"
        );
        assert_eq!(one(&ctx, &sql).await, NONE, "{filter}");
    }
    let sql = "SELECT lthash(id, name) FILTER (WHERE nullif(id, 7) >= 0) FROM t";
    assert_eq!(
        one(&ctx, sql).await,
        checksum((0..100).filter(|&id| id != 7))
    );
}

#[tokio::test]
async fn windows_slide() {
    let ctx = plain();
    register(&ctx, 300, 2, 50);
    let rows = query(
        &ctx,
        "SELECT id, \
             lthash(id, name) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING), \
             lthash(id, name) OVER (ORDER BY id), \
             lthash(id, name) OVER (PARTITION BY id % 3), \
             lthash(id, name) FILTER (WHERE id % 2 = 0) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING), \
             lthash_checksum(lthash_state(id, name) OVER (ORDER BY id ROWS BETWEEN 4 PRECEDING AND 2 PRECEDING)) \
         FROM t ORDER BY id",
    );
    for (id, row) in rows.await.unwrap().into_iter().enumerate() {
        let id = id as i64;
        let near = move |from: i64, to: i64| (from.max(0)..=to.min(299)).collect::<Vec<_>>();
        assert_eq!(row[0], id.to_string());
        assert_eq!(row[1], checksum(near(id - 2, id + 1)), "{id}");
        assert_eq!(row[2], checksum(0..=id), "{id}");
        assert_eq!(
            row[3],
            checksum((0..300).filter(|other| other % 3 == id % 3)),
            "{id}"
        );
        assert_eq!(
            row[4],
            checksum(near(id - 2, id + 1).into_iter().filter(|id| id % 2 == 0)),
            "{id}"
        );
        assert_eq!(row[5], checksum(near(id - 4, id - 2)), "{id}");
    }
}

#[tokio::test]
async fn grouping_sets_and_correlated_subqueries() {
    let ctx = plain();
    register(&ctx, 100, 3, 10);
    let rows = query(
        &ctx,
        "SELECT id % 2, lthash(id, name) FROM t GROUP BY ROLLUP (id % 2) ORDER BY 1",
    )
    .await
    .unwrap();
    let expected = [
        ("0", checksum((0..100).step_by(2))),
        ("1", checksum((1..100).step_by(2))),
        ("NULL", checksum(0..100)),
    ];
    assert_eq!(
        rows,
        expected.map(|(key, checksum)| vec![key.to_owned(), checksum])
    );
    let empty = "SELECT lthash(id, name) FROM t WHERE id < 0 GROUP BY ROLLUP (id % 2)";
    assert_eq!(one(&ctx, empty).await, NONE);

    // Of no rows it is never NULL.
    let sql = "SELECT k, (SELECT lthash(id, name) FROM t WHERE t.id = k.k) FROM (VALUES (1), (1000)) k (k) ORDER BY k";
    let expected = [("1", checksum([1])), ("1000", NONE.to_owned())];
    let rows = query(&ctx, sql).await.unwrap();
    assert_eq!(
        rows,
        expected.map(|(key, checksum)| vec![key.to_owned(), checksum])
    );
}

#[tokio::test]
async fn values_are_equal_whatever_their_type() {
    let ctx = plain();
    register(&ctx, 1000, 2, 100);
    for (id, name) in [
        ("CAST(id AS INT)", "name"),
        ("CAST(id AS DECIMAL(20, 4))", "arrow_cast(name, 'Utf8View')"),
        ("CAST(id AS DOUBLE)", "arrow_cast(name, 'LargeUtf8')"),
        (
            "arrow_cast(id, 'UInt16')",
            "arrow_cast(name, 'Dictionary(Int32, Utf8)')",
        ),
        (
            "arrow_cast(id, 'Decimal256(76, 3)')",
            "concat('name ', CAST(id % 7 AS VARCHAR))",
        ),
    ] {
        for sql in [
            format!("SELECT lthash({id}, {name}) FROM t"),
            format!(
                "SELECT lthash_checksum(lthash_merge(s)) FROM (SELECT lthash_state({id}, {name}) s FROM t GROUP BY id % 5)"
            ),
        ] {
            assert_eq!(one(&ctx, &sql).await, THOUSAND, "{sql}");
        }
    }
    // The order of values counts, their names do not, and no value is another's.
    let different = [
        "lthash(name, id)",
        "lthash(id)",
        "lthash(id, name, NULL)",
        "lthash(id, nullif(name, 'name 3'))",
        "lthash(id, name || '')",
        "lthash(id + 1, name)",
        "lthash(CAST(id AS VARCHAR), name)",
    ];
    let mut found = vec![THOUSAND.to_owned()];
    for call in different {
        found.push(one(&ctx, &format!("SELECT {call} FROM t")).await);
    }
    assert_eq!(found.remove(5), THOUSAND, "name || '' is name");
    let distinct: std::collections::HashSet<_> = found.iter().collect();
    assert_eq!(distinct.len(), found.len());
}

#[tokio::test]
async fn extreme_values_are_hashed() {
    let ctx = plain();
    let sql = "SELECT lthash(a) FROM (VALUES (CAST('NaN' AS DOUBLE)), ('Infinity'), (-0.0), (NULL)) t (a)";
    let mut expected = LtHash::new();
    for value in [f64::NAN, f64::INFINITY, 0.0] {
        expected.insert(Row::new().float(value).as_element());
    }
    expected.insert(Row::new().null().as_element());
    assert_eq!(one(&ctx, sql).await, expected.checksum().to_string());

    let digits = "9".repeat(76);
    let wide = one(
        &ctx,
        &format!("SELECT lthash(arrow_cast('{digits}', 'Decimal256(76, 0)'))"),
    )
    .await;
    let narrow = one(
        &ctx,
        &format!("SELECT lthash(arrow_cast('-{digits}', 'Decimal256(76, 0)'))"),
    )
    .await;
    assert_ne!(wide, narrow);

    // As many arguments as anyone has, and nesting.
    let many = vec!["id"; 2000].join(", ");
    register(&ctx, 10, 1, 10);
    one(&ctx, &format!("SELECT lthash({many}) FROM t")).await;
    let nested = (0..40).fold("id".to_owned(), |value, _| format!("make_array({value})"));
    assert_eq!(
        one(&ctx, &format!("SELECT lthash({nested}) FROM t"))
            .await
            .len(),
        64
    );
}

#[tokio::test]
async fn states_are_merged() {
    let ctx = plain();
    register(&ctx, 1000, 3, 100);
    let sql = "CREATE TABLE days AS SELECT id % 5 AS day, lthash_state(id, name) AS state FROM t GROUP BY id % 5 \
               UNION ALL SELECT * FROM (VALUES (5, NULL), (6, NULL))";
    query(&ctx, sql).await.unwrap();
    let merged = |sql: &str| format!("SELECT lthash_checksum(lthash_merge({sql})) FROM days");
    for sql in [
        "state",
        "arrow_cast(state, 'BinaryView')",
        "arrow_cast(state, 'Binary')",
        "decode(encode(state, 'hex'), 'hex')",
        "arrow_cast(state, 'Dictionary(Int32, LargeBinary)')",
    ] {
        assert_eq!(one(&ctx, &merged(sql)).await, THOUSAND, "{sql}");
    }
    assert_eq!(
        one(
            &ctx,
            "SELECT lthash_checksum(lthash_merge(state) FILTER (WHERE day = 2)) FROM days"
        )
        .await,
        checksum((2..1000).step_by(5))
    );
    // NULL states are skipped, as in SUM, and of none the sum is NULL.
    for sql in [
        "SELECT lthash_merge(state) FROM days WHERE day > 4",
        "SELECT lthash_merge(state) FROM days WHERE day > 9",
        "SELECT lthash_merge(NULL) FROM days",
        "SELECT lthash_checksum(NULL)",
    ] {
        assert_eq!(one(&ctx, sql).await, "NULL", "{sql}");
    }
    let rows = query(
        &ctx,
        "SELECT day, lthash_checksum(lthash_merge(state)) FROM days GROUP BY day ORDER BY day",
    )
    .await
    .unwrap();
    for (day, row) in rows.into_iter().enumerate() {
        let expected = match day {
            0..5 => checksum((day as i64..1000).step_by(5)),
            _ => "NULL".to_owned(),
        };
        assert_eq!(row[1], expected, "{day}");
    }
    let over = "SELECT lthash_checksum(lthash_merge(state) OVER (ORDER BY day)) FROM days ORDER BY day LIMIT 1 OFFSET 4";
    assert_eq!(one(&ctx, over).await, THOUSAND);
}

#[tokio::test]
async fn a_star_is_all_columns() {
    let ctx = plain();
    register(&ctx, 1000, 3, 100);
    let even = checksum((0..1000).step_by(2));
    for (sql, expected) in [
        ("SELECT lthash(*) FROM t", THOUSAND),
        ("SELECT lthash(t.*) FROM t", THOUSAND),
        (
            "SELECT lthash(*) FROM (SELECT id, name, 1 AS one FROM t) t",
            &one(&ctx, "SELECT lthash(id, name, 1) FROM t").await,
        ),
        (
            "SELECT lthash_checksum(lthash_state(*)) AS c FROM t",
            THOUSAND,
        ),
        ("SELECT lthash(*) FROM t WHERE id % 2 = 0", &even),
        ("SELECT lthash(*) FILTER (WHERE id % 2 = 0) FROM t", &even),
        (
            "SELECT lthash(*) FROM t GROUP BY id % 2 HAVING min(id) = 0",
            &even,
        ),
        (
            "SELECT c FROM (SELECT id % 2 AS k, lthash(*) AS c FROM t GROUP BY id % 2) s WHERE k = 0",
            &even,
        ),
        (
            "SELECT lthash(a.*) FROM t a JOIN (SELECT id FROM t WHERE id % 2 = 0) b ON a.id = b.id",
            &even,
        ),
        ("SELECT (SELECT lthash(*) FROM t)", THOUSAND),
    ] {
        assert_eq!(one(&ctx, sql).await, expected, "{sql}");
    }
    let rows = "SELECT count(*) FROM (SELECT lthash_row(*) FROM t EXCEPT ALL SELECT lthash_row(id, name) FROM t)";
    assert_eq!(one(&ctx, rows).await, "0");
}

#[tokio::test]
async fn what_cannot_be_is_refused_in_words() {
    let ctx = plain();
    register(&ctx, 10, 2, 10);
    for (sql, words) in [
        (
            "SELECT lthash(DISTINCT id, name) FROM t",
            "SELECT DISTINCT a, b FROM t",
        ),
        (
            "SELECT lthash(DISTINCT id, name) FROM t GROUP BY id % 2",
            "SELECT DISTINCT a, b FROM t",
        ),
        (
            "SELECT lthash_state(DISTINCT id, name) OVER () FROM t",
            "SELECT DISTINCT a, b FROM t",
        ),
        (
            "SELECT lthash_merge(DISTINCT s), count(*) FROM (SELECT lthash_state(id) s FROM t)",
            "DISTINCT",
        ),
        ("SELECT lthash() FROM t", "lthash"),
        ("SELECT lthash(*) OVER () FROM t", "name the columns"),
        (
            "SELECT lthash_row(*), count(*) OVER () FROM t",
            "name the columns",
        ),
        (
            "SELECT id FROM t WHERE lthash_row(*) = X'80'",
            "name the columns",
        ),
        (
            "SELECT lthash_row(*) FROM t GROUP BY id, name",
            "name the columns",
        ),
        (
            "SELECT lthash_row(*) FROM t GROUP BY id, name HAVING count(*) > 0",
            "name the columns",
        ),
        (
            "SELECT lthash_row(*) FROM t QUALIFY row_number() OVER () > 0",
            "name the columns",
        ),
        ("SELECT lthash(id, name) IGNORE NULLS FROM t", "NULLS"),
        ("SELECT lthash_merge(name) FROM t", "decode"),
        ("SELECT lthash_merge(id) FROM t", "Int64"),
        (
            "SELECT lthash_merge(arrow_cast(name, 'Binary'), id) FROM t",
            "lthash_merge",
        ),
        (
            "SELECT lthash_merge(arrow_cast(name, 'Binary')) FROM t",
            "lthash_merge",
        ),
        (
            "SELECT lthash_checksum(arrow_cast(name, 'Binary')) FROM t",
            "lthash_checksum",
        ),
        ("SELECT lthash_checksum(X'') FROM t", "lthash_checksum"),
    ] {
        let error = refused(&ctx, sql).await;
        assert_contains!(&error, words);
        assert!(!error.contains("Internal error"), "{sql}: {error}");
    }
    // One column's distinct values are taken by DataFusion itself.
    let distinct = one(&ctx, "SELECT lthash(DISTINCT name) FROM t").await;
    assert_eq!(
        distinct,
        one(
            &ctx,
            "SELECT lthash(name) FROM (SELECT DISTINCT name FROM t)"
        )
        .await
    );
}

#[tokio::test]
async fn a_type_that_rows_cannot_have_is_named() {
    use datafusion::arrow::datatypes::{UnionFields, UnionMode};
    let fields = UnionFields::try_new(
        [0, 1],
        [
            Field::new("a", DataType::Int32, true),
            Field::new("b", DataType::Utf8, true),
        ],
    )
    .unwrap();
    let union = DataType::Union(fields, UnionMode::Sparse);
    let schema = Arc::new(Schema::new(vec![
        Field::new("id", DataType::Int64, true),
        Field::new("u", union, true),
    ]));
    let ctx = plain();
    ctx.register_table(
        "unions",
        Arc::new(MemTable::try_new(schema, vec![vec![]]).unwrap()),
    )
    .unwrap();
    for call in ["lthash(id, u)", "lthash_state(id, u)", "lthash_row(id, u)"] {
        let error = ctx
            .sql(&format!("SELECT {call} FROM unions"))
            .await
            .unwrap_err()
            .to_string();
        assert_contains!(&error, "argument 2");
        assert_contains!(&error, "Union");
    }
}

#[tokio::test]
async fn rows_that_differ_are_found() {
    let ctx = plain();
    register(&ctx, 1000, 2, 100);
    query(&ctx, "CREATE TABLE copy AS SELECT id, CASE WHEN id = 77 THEN 'other' ELSE name END AS name FROM t").await.unwrap();
    let sql = "SELECT id FROM t JOIN (SELECT lthash_row(id, name) AS row FROM t EXCEPT ALL SELECT lthash_row(id, name) FROM copy) d \
               ON lthash_row(t.id, t.name) = d.row";
    assert_eq!(one(&ctx, sql).await, "77");
}

/// Every group's checksum, from as many rows as one may hash in a test.
async fn many_groups(ctx: &SessionContext) -> Result<RecordBatch> {
    register(ctx, 60_000, 4, 1000);
    let sql = "SELECT id / 3 AS k, lthash(id, name) AS c, count(*) AS n FROM t GROUP BY id / 3 ORDER BY k";
    let batches = ctx.sql(sql).await?.collect().await?;
    concat_batches(&batches[0].schema(), &batches).map_err(Into::into)
}

fn assert_many_groups(result: &RecordBatch) {
    assert_eq!(result.num_rows(), 20_000);
    let checksums = cast(result.column(1), &DataType::Utf8).unwrap();
    for group in (0..20_000).step_by(97) {
        let ids = group * 3..group * 3 + 3;
        assert_eq!(
            checksums.as_string::<i32>().value(group as usize),
            checksum(ids),
            "{group}"
        );
    }
    let all = one_column_hash(result);
    let expected: LtHash = (0..20_000)
        .map(|group| checksum(group * 3..group * 3 + 3))
        .collect();
    assert_eq!(all, expected);
}

fn one_column_hash(result: &RecordBatch) -> LtHash {
    (0..result.num_rows())
        .map(|row| array_value_to_string(result.column(1), row).unwrap())
        .collect()
}

#[tokio::test]
async fn partial_aggregation_may_be_skipped() {
    let config = SessionConfig::new()
        .with_target_partitions(3)
        .with_batch_size(512)
        .set_usize(
            "datafusion.execution.skip_partial_aggregation_probe_rows_threshold",
            100,
        )
        .set_str(
            "datafusion.execution.skip_partial_aggregation_probe_ratio_threshold",
            "0.0",
        );
    assert_many_groups(&many_groups(&session(config)).await.unwrap());
}

fn limited(partitions: usize, limit: usize, disk: DiskManagerMode) -> SessionContext {
    let runtime = RuntimeEnvBuilder::new()
        .with_memory_pool(Arc::new(FairSpillPool::new(limit)))
        .with_disk_manager_builder(DiskManagerBuilder::default().with_mode(disk))
        .build_arc()
        .unwrap();
    let config = SessionConfig::new()
        .with_target_partitions(partitions)
        .with_batch_size(1024);
    let ctx = SessionContext::new_with_config_rt(config, runtime);
    lthash_datafusion::register_all(&ctx).unwrap();
    ctx
}

#[tokio::test]
async fn memory_that_runs_out_is_spilled() {
    for (partitions, limit) in [(1, 24), (2, 40)] {
        let ctx = limited(partitions, limit << 20, DiskManagerMode::OsTmpDirectory);
        assert_many_groups(&many_groups(&ctx).await.unwrap());
        let plan = ctx
            .sql("SELECT id / 3, lthash(id, name) FROM t GROUP BY id / 3")
            .await
            .unwrap()
            .create_physical_plan()
            .await
            .unwrap();
        collect(Arc::clone(&plan), ctx.task_ctx()).await.unwrap();
        assert!(
            spilled(plan.as_ref()) > 0,
            "{partitions} partitions: 20,000 groups take 40 MiB, of {limit}"
        );
    }
}

fn spilled(plan: &dyn datafusion::physical_plan::ExecutionPlan) -> usize {
    let here = plan
        .metrics()
        .and_then(|metrics| metrics.spilled_rows())
        .unwrap_or(0);
    here + plan
        .children()
        .iter()
        .map(|child| spilled(child.as_ref()))
        .sum::<usize>()
}

#[tokio::test]
async fn memory_that_runs_out_without_a_disk_is_an_error() {
    let error = many_groups(&limited(1, 24 << 20, DiskManagerMode::Disabled))
        .await
        .unwrap_err();
    assert_contains!(error.to_string(), "Resources exhausted");
}

#[tokio::test]
async fn functions_are_documented() {
    let ctx = session(SessionConfig::new().with_information_schema(true));
    let rows = query(&ctx, "SHOW FUNCTIONS LIKE 'lthash%'").await.unwrap();
    let names: std::collections::BTreeSet<_> = rows.iter().map(|row| row[0].as_str()).collect();
    for name in [
        "lthash",
        "lthash_state",
        "lthash_merge",
        "lthash_checksum",
        "lthash_row",
    ] {
        assert!(names.contains(name), "{name} is not in {names:?}");
    }
    for function in lthash_datafusion::all_aggregate_functions() {
        assert!(
            function
                .documentation()
                .is_some_and(|documentation| documentation.description.len() > 40)
        );
    }
}
