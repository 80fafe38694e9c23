//! Where a state is written: links, other people's files, file systems that refuse.

use crate::common::not_tested;
use crate::folder::{Folder, records};
use crate::{lthash, program, stdout, sum_line, trouble};
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn insert_one(state: &Path) -> assert_cmd::Command {
    let mut command = lthash(["update"]);
    command.arg(state).args(["--insert", "-"]);
    command.write_stdin("one\n");
    command
}

fn sum_to(state: &Path) -> assert_cmd::Command {
    let mut command = lthash(["sum", "--state"]);
    command.arg(state).write_stdin("one\n");
    command
}

fn is_root() -> bool {
    // The owner of a new file is whom the test runs as.
    tempfile::tempfile().unwrap().metadata().unwrap().uid() == 0
}

#[test]
fn a_link_stays_and_what_it_leads_to_is_replaced() {
    let folder = Folder::new();
    let state = folder.state("state", "", &[]);
    let (link, dangling) = (folder.path("link"), folder.path("dangling"));
    symlink("state", &link).unwrap();
    fs::set_permissions(&state, fs::Permissions::from_mode(0o640)).unwrap();
    stdout(&mut insert_one(&link));
    assert_eq!(records(&state), 1);
    assert_eq!(fs::metadata(&state).unwrap().mode() & 0o777, 0o640);
    symlink("nothing yet", &dangling).unwrap();
    stdout(&mut sum_to(&dangling));
    for link in [&link, &dangling] {
        assert!(fs::symlink_metadata(link).unwrap().is_symlink());
    }
    assert_eq!(folder.names(), ["dangling", "link", "nothing yet", "state"]);
}

#[test]
fn what_is_no_regular_file_is_refused_and_not_waited_for() {
    let folder = Folder::new();
    let pipe = folder.path("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let state = folder.state("state", "", &[]);
    for place in [
        pipe.as_path(),
        Path::new("/dev/stdout"),
        Path::new("/dev/null"),
        folder.root(),
    ] {
        for mut command in [sum_to(place), insert_one(place), {
            let mut merge = lthash(["merge"]);
            merge.arg(place).arg(&state);
            merge
        }] {
            assert_eq!(
                trouble(command.timeout(Duration::from_secs(20))),
                format!(
                    "lthash: {}: is no regular file: expected a state, or nothing\n",
                    place.display()
                )
            );
        }
    }
}

#[test]
fn an_empty_file_is_a_place_for_a_state() {
    let folder = Folder::new();
    let empty = folder.file("empty", "");
    assert_eq!(stdout(&mut sum_to(&empty)), sum_line(&["one"]));
    let other = folder.file("other", "");
    stdout(lthash(["merge"]).arg(&other).arg(&empty));
    assert_eq!((records(&empty), records(&other)), (1, 1));
}

#[test]
fn a_result_replaces_no_input() {
    let folder = Folder::new();
    let a = folder.state("a", "one\n", &[]);
    let link = folder.path("link");
    symlink("a", &link).unwrap();
    let before = fs::read(&a).unwrap();
    for mut command in [
        {
            let mut merge = lthash(["merge"]);
            merge.arg(&a).args([&a, &a]);
            merge
        },
        {
            let mut merge = lthash(["merge"]);
            merge.arg(&link).arg(&a);
            merge
        },
        {
            let mut sum = lthash(["sum", "--state"]);
            sum.arg(&a).arg(&link);
            sum
        },
    ] {
        let message = trouble(&mut command);
        assert!(
            message.contains(": the result would replace it: "),
            "{message}"
        );
    }
    assert_eq!(fs::read(&a).unwrap(), before);
}

#[test]
fn what_lies_where_the_successor_would_is_not_touched() {
    let folder = Folder::new();
    let precious = folder.file("precious", "precious");
    let (linked, noted, piped) = (
        folder.path("linked"),
        folder.path("noted"),
        folder.path("piped"),
    );
    symlink("precious", folder.path("linked.lthash-new")).unwrap();
    let notes = folder.file("noted.lthash-new", "notes");
    let pipe = folder.path("piped.lthash-new");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    // Where a link leads to what a killed process may have left, it is still a link.
    let state = folder.state("state", "one\n", &[]);
    symlink("state", folder.path("other.lthash-new")).unwrap();
    let names = folder.names();
    for place in [&linked, &noted, &piped, &folder.path("other")] {
        stdout(sum_to(place).timeout(Duration::from_secs(20)));
        assert_eq!(records(place), 1);
        stdout(insert_one(place).timeout(Duration::from_secs(20)));
        assert_eq!(records(place), 2);
    }
    assert_eq!(fs::read(&precious).unwrap(), b"precious");
    assert_eq!(fs::read(&notes).unwrap(), b"notes");
    assert_eq!(records(&state), 1);
    assert_eq!(folder.names().len(), names.len() + 4);
}

#[test]
fn a_lock_that_takes_long_is_told() {
    let folder = Folder::new();
    let state = folder.state("state", "", &[]);
    for locked in [state.clone(), folder.path("state.lthash-new")] {
        let file = File::options()
            .create(true)
            .append(true)
            .open(&locked)
            .unwrap();
        fs4::FileExt::lock(&file).unwrap();
        let mut child = program()
            .args(["update", "--insert", "-"])
            .arg("--")
            .arg(&state)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let expected = "lthash: waiting for another process that changes the same state\n";
        let mut message = vec![0; expected.len()];
        let mut stderr = child.stderr.take().unwrap();
        stderr.read_exact(&mut message).unwrap();
        assert_eq!(String::from_utf8(message).unwrap(), expected);
        drop(file);
        assert!(child.wait().unwrap().success());
    }
}

#[test]
fn owner_group_mode_and_list_are_kept() {
    if !is_root() {
        return not_tested("owners of states: only root can give files away");
    }
    let folder = Folder::new();
    let state = folder.state("state", "", &[]);
    chown(&state, Some(1234), Some(4321)).unwrap();
    fs::set_permissions(&state, fs::Permissions::from_mode(0o660)).unwrap();
    // acl(5), version 2: the owner rw, the user 2 rw, the group r, the mask rw, others nothing.
    #[cfg(target_os = "linux")]
    let list = {
        let entries: [(u16, u16, u32); 5] = [
            (0x01, 6, u32::MAX),
            (0x02, 6, 2),
            (0x04, 4, u32::MAX),
            (0x10, 6, u32::MAX),
            (0x20, 0, u32::MAX),
        ];
        let mut list = 2_u32.to_le_bytes().to_vec();
        for (tag, rights, id) in entries {
            list.extend(tag.to_le_bytes());
            list.extend(rights.to_le_bytes());
            list.extend(id.to_le_bytes());
        }
        list
    };
    #[cfg(target_os = "linux")]
    let has_lists = match xattr::set(&state, "system.posix_acl_access", &list) {
        Ok(()) => true,
        Err(error) => {
            not_tested(&format!("access control lists: {error}"));
            false
        }
    };
    stdout(&mut insert_one(&state));
    let metadata = fs::metadata(&state).unwrap();
    assert_eq!((metadata.uid(), metadata.gid()), (1234, 4321));
    assert_eq!(metadata.mode() & 0o7777, 0o660);
    #[cfg(target_os = "linux")]
    if has_lists {
        assert_eq!(
            xattr::get(&state, "system.posix_acl_access").unwrap(),
            Some(list)
        );
    }
}

/// What a shell script prints that runs the program as `$0`.
fn script(folder: &Folder, script: &str) -> Output {
    Command::new("bash")
        .args(["-c", script])
        .arg(program().get_program())
        .current_dir(folder.root())
        .output()
        .unwrap()
}

#[test]
fn two_users_share_a_state() {
    if !is_root() {
        return not_tested("two users: only root can become another user");
    }
    let folder = Folder::new();
    let state = folder.state("state", "", &[]);
    fs::set_permissions(folder.root(), fs::Permissions::from_mode(0o777)).unwrap();
    chown(&state, Some(1234), Some(1234)).unwrap();
    // What a killed process of another user has left behind, which nobody else may open.
    let left = folder.file("state.lthash-new", "");
    fs::set_permissions(&left, fs::Permissions::from_mode(0o600)).unwrap();
    chown(&left, Some(1234), Some(1234)).unwrap();
    fs::copy(program().get_program(), folder.path("program")).unwrap();
    let update = |user: &str| {
        script(
            &folder,
            &format!(
                "echo one | setpriv --reuid {user} --regid {user} --clear-groups ./program update state --insert -"
            ),
        )
    };
    let output = update("4321");
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        format!(
            "lthash: warning: {}: could not keep its group, owner\n",
            fs::canonicalize(&state).unwrap().display()
        )
    );
    assert!(output.status.success());
    assert!(left.exists());
    // And back: the first user's leftover is now the own one.
    assert!(update("1234").status.success());
    assert_eq!(records(&state), 2);
    assert!(!left.exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_is_mounted_by_itself_is_told() {
    let folder = Folder::new();
    let state = folder.state("state", "", &[]);
    let before = fs::read(&state).unwrap();
    let output = script(
        &folder,
        "unshare --mount bash -c 'mount --bind state state || exit 9; echo one | \"$0\" update state --insert -' \"$0\"",
    );
    if output.status.code() == Some(9) || !is_root() {
        return not_tested("a mounted file: this process may not mount");
    }
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "lthash: state: a file that is mounted by itself cannot be replaced: \
         mount the folder that it is in: Device or resource busy (os error 16)\n"
    );
    assert_eq!(fs::read(&state).unwrap(), before);
    assert_eq!(folder.names(), ["state"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_the_old_state() {
    let folder = Folder::new();
    let output = script(
        &folder,
        "mkdir disk; unshare --mount bash -c '
            mount -t tmpfs -o size=16k none disk || exit 9
            \"$0\" sum --state disk/state </dev/null >/dev/null; cp disk/state .
            dd if=/dev/zero of=disk/full bs=4096 2>/dev/null
            echo one | \"$0\" update disk/state --insert -; echo $?; ls disk; cmp disk/state state' \"$0\"",
    );
    if output.status.code() == Some(9) || !is_root() {
        return not_tested("a full disk: this process may not mount");
    }
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "2\nfull\nstate\n"
    );
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "lthash: disk/state: No space left on device (os error 28)\n"
    );
}
