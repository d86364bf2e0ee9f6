//! Handing an open descriptor to another process over a socket (unix(7), `SCM_RIGHTS`).
//!
//! `pidfd_getfd` would be shorter, but container runtimes refuse it by default.

use super::check;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::net::UnixStream;

/// Room for one control message with one descriptor, aligned as the kernel wants it.
#[repr(C, align(8))]
struct Control([u8; 64]);

/// A message of one byte with room for one descriptor. The pointers stay valid as long as the
/// arguments do.
fn message(byte: &mut libc::iovec, control: &mut Control) -> libc::msghdr {
    // SAFETY: an all-zero msghdr is a valid, empty message.
    let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
    message.msg_iov = byte;
    message.msg_iovlen = 1;
    message.msg_control = control.0.as_mut_ptr().cast();
    // SAFETY: CMSG_SPACE only computes.
    message.msg_controllen = unsafe { libc::CMSG_SPACE(size_of::<libc::c_int>() as u32) } as usize;
    message
}

/// Sends a copy of `descriptor`.
pub(crate) fn send(over: &UnixStream, descriptor: BorrowedFd<'_>) -> io::Result<()> {
    let mut byte = [0_u8];
    let mut part = libc::iovec { iov_base: byte.as_mut_ptr().cast(), iov_len: 1 };
    let mut control = Control([0; 64]);
    let message = message(&mut part, &mut control);
    // SAFETY: the message has room for one header with one descriptor, so CMSG_FIRSTHDR is not
    // null and its data has the room of a c_int; all of it outlives the call.
    unsafe {
        let header = libc::CMSG_FIRSTHDR(&message);
        (*header).cmsg_level = libc::SOL_SOCKET;
        (*header).cmsg_type = libc::SCM_RIGHTS;
        (*header).cmsg_len = libc::CMSG_LEN(size_of::<libc::c_int>() as u32) as usize;
        libc::CMSG_DATA(header).cast::<libc::c_int>().write_unaligned(descriptor.as_raw_fd());
        check(libc::sendmsg(over.as_raw_fd(), &message, libc::MSG_NOSIGNAL))?;
    }
    Ok(())
}

/// Receives a descriptor; an error of kind `UnexpectedEof` if the other side closed without one.
pub(crate) fn receive(over: &UnixStream) -> io::Result<OwnedFd> {
    let mut byte = [0_u8];
    let mut part = libc::iovec { iov_base: byte.as_mut_ptr().cast(), iov_len: 1 };
    let mut control = Control([0; 64]);
    let mut message = message(&mut part, &mut control);
    // SAFETY: the message's parts outlive the call; CMSG_FIRSTHDR is null or points to a header
    // that the kernel filled; the descriptor in it is new and owned by nobody else.
    unsafe {
        check(libc::recvmsg(over.as_raw_fd(), &mut message, libc::MSG_CMSG_CLOEXEC))?;
        let header = libc::CMSG_FIRSTHDR(&message);
        if header.is_null() || (*header).cmsg_type != libc::SCM_RIGHTS {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(OwnedFd::from_raw_fd(libc::CMSG_DATA(header).cast::<libc::c_int>().read_unaligned()))
    }
}
