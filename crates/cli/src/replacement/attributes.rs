//! Owner, group, mode and access control list: a state keeps them when it is replaced.

use std::fs::File;
use std::io;

/// Gives `new` what `old` has, as far as this process may. Returns what could not be kept.
#[cfg(unix)]
pub fn copy(old: &File, new: &File) -> io::Result<Vec<&'static str>> {
    use std::fs::Permissions;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let (wanted, found) = (old.metadata()?, new.metadata()?);
    let mut lost = Vec::new();
    let mut mode = wanted.mode() & 0o7777;
    if wanted.gid() != found.gid() && fchown(new, None, Some(wanted.gid())).is_err() {
        lost.push("group");
        // What one group may is not for another.
        mode &= !0o070;
    }
    if wanted.uid() != found.uid() && fchown(new, Some(wanted.uid()), None).is_err() {
        lost.push("owner");
    }
    new.set_permissions(Permissions::from_mode(mode))?;
    if !lists::copy(old, new) {
        lost.push("access control list");
    }
    Ok(lost)
}

#[cfg(not(unix))]
pub fn copy(old: &File, new: &File) -> io::Result<Vec<&'static str>> {
    new.set_permissions(old.metadata()?.permissions())?;
    Ok(Vec::new())
}

#[cfg(target_os = "linux")]
mod lists {
    use std::fs::File;
    use xattr::FileExt;

    /// The attribute that Linux keeps a file's access control list in: acl(5).
    const LIST: &str = "system.posix_acl_access";

    /// A new file may have a list of its own, from its folder.
    pub fn copy(old: &File, new: &File) -> bool {
        // File systems without lists say so by an error.
        let list = |file: &File| file.get_xattr(LIST).unwrap_or(None);
        match (list(old), list(new)) {
            (None, None) => true,
            (None, Some(_)) => new.remove_xattr(LIST).is_ok(),
            (Some(wanted), _) => new.set_xattr(LIST, &wanted).is_ok(),
        }
    }
}

#[cfg(all(unix, not(target_os = "linux")))]
mod lists {
    use std::fs::File;

    /// Other systems keep lists elsewhere; these are not known here.
    pub fn copy(_: &File, _: &File) -> bool {
        true
    }
}
