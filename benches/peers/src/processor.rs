//! What a run's figures are of.

/// The processor's name, with the numbers that tell its generation where the name does not.
pub fn processor() -> String {
    #[cfg(target_arch = "x86_64")]
    {
        let cpuid = raw_cpuid::CpuId::new();
        let name = cpuid.get_processor_brand_string();
        let name = name.as_ref().map_or("x86-64", |name| name.as_str().trim());
        match cpuid.get_feature_info() {
            Some(numbers) => format!(
                "{name} (family {}, model {})",
                numbers.family_id(),
                numbers.model_id()
            ),
            None => name.into(),
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    std::env::consts::ARCH.into()
}
