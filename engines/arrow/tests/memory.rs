//! How much memory rows take: it is bounded, even if values share what they are stored in, and little is kept.

use arrow_array::types::{Int8Type, Int32Type};
use arrow_array::*;
use arrow_cast::cast;
use arrow_schema::{DataType, Field};
use lthash::row::Row;
use lthash_arrow::RowHasher;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The system's allocator, which counts what is in use.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let in_use = IN_USE.fetch_add(layout.size(), Relaxed) + layout.size();
        MOST.fetch_max(in_use, Relaxed);
        // SAFETY: the caller's promises are the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promises are the same.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const MIB: usize = 1 << 20;

/// Makes the rows, each of which has to be `expected`. At most `most` bytes are in use meanwhile, and less than 2 MiB afterwards.
fn check(column: ArrayRef, expected: &Row, most: usize) {
    let name = column.data_type().to_string();
    let rows = column.len();
    let columns = vec![column];
    let field = Field::new("column", columns[0].data_type().clone(), true);
    let mut hasher = RowHasher::from_fields(&[Arc::new(field)]).unwrap();
    let before = IN_USE.load(Relaxed);
    MOST.store(before, Relaxed);
    let mut count = 0;
    let made = hasher.for_each(&columns, |row, element| {
        assert!(element == expected.as_element(), "{name}, row {row}");
        count += 1;
    });
    made.unwrap();
    assert_eq!(count, rows, "{name}");
    let taken = MOST.load(Relaxed) - before;
    assert!(taken <= most, "{name}: {taken} bytes in use");
    let kept = IN_USE.load(Relaxed) - before;
    assert!(kept < 2 * MIB, "{name}: {kept} bytes kept");
}

/// One test, since the count is of all threads.
#[test]
fn rows_take_little_memory() {
    // Of text they have 450 MiB together.
    const ROWS: usize = 300;
    let text = "lorem ipsum ".repeat(1 << 17);
    let mut row = Row::new();
    row.text(&text);
    let value = Arc::new(StringArray::from(vec![text.as_str()]));
    let texts = DictionaryArray::<Int8Type>::new(vec![0; ROWS].into(), value);
    let views = cast(&texts, &DataType::Utf8View).unwrap();
    check(Arc::new(texts), &row, 8 * MIB);
    check(views, &row, 4 * MIB);

    let items = Int32Array::from_iter_values(0..1 << 16);
    row.clear().begin_list(items.len());
    for item in items.values() {
        row.integer(*item);
    }
    let lists = ListViewArray::new(
        Arc::new(Field::new("item", DataType::Int32, true)),
        vec![0; ROWS].into(),
        vec![items.len() as i32; ROWS].into(),
        Arc::new(items),
        None,
    );
    // 64 rows at a time.
    check(Arc::new(lists), &row, 100 * MIB);

    let value = StringArray::from(vec!["lorem ipsum dolor sit amet ".repeat(4)]);
    row.clear().text(value.value(0));
    let runs = RunArray::<Int32Type>::try_new(&Int32Array::from(vec![1_000_000]), &value).unwrap();
    check(Arc::new(runs), &row, 64 * MIB);
}
