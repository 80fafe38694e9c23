fn main() {
    println!("backends: {}", consumer::check());
}
