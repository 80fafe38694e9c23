package lthash

/*
#cgo pkg-config: lthash
#cgo noescape lthash_insert
#cgo nocallback lthash_insert
#cgo noescape lthash_remove
#cgo nocallback lthash_remove
#cgo noescape lthash_mix_in
#cgo nocallback lthash_mix_in
#cgo noescape lthash_mix_out
#cgo nocallback lthash_mix_out
#cgo noescape lthash_checksum
#cgo nocallback lthash_checksum
#cgo noescape lthash_go_mix
#cgo nocallback lthash_go_mix

#include <stdlib.h>
#include <lthash.h>

// What leaves and what enters a multiset, in one call.
static enum lthash_status lthash_go_mix(lthash_hash *hash,
                                        const void *removed, const size_t *removed_lengths, size_t removed_count,
                                        const void *inserted, const size_t *inserted_lengths, size_t inserted_count) {
    enum lthash_status status = lthash_remove_packed(hash, NULL, removed, removed_lengths, removed_count);
    if (status != LTHASH_STATUS_OK) return status;
    return lthash_insert_packed(hash, NULL, inserted, inserted_lengths, inserted_count);
}
*/
import "C"

import (
	"fmt"
	"unsafe"
)

// Insert inserts an element. Removing is the inverse; the order does not matter.
func (l *LtHash) Insert(element []byte) {
	check(C.lthash_insert(l.c(), data(element), C.size_t(len(element))))
}

// Remove removes an element. Removing what was never inserted is no error: multiplicities may be negative.
func (l *LtHash) Remove(element []byte) {
	check(C.lthash_remove(l.c(), data(element), C.size_t(len(element))))
}

// MixIn adds a multiset. Nil is the empty multiset; other may be l.
func (l *LtHash) MixIn(other *LtHash) {
	if other != nil {
		check(C.lthash_mix_in(l.c(), other.c()))
	}
}

// MixOut subtracts a multiset. Nil is the empty multiset; other may be l.
func (l *LtHash) MixOut(other *LtHash) {
	if other != nil {
		check(C.lthash_mix_out(l.c(), other.c()))
	}
}

// Checksum returns the bytes to compare, to store and to sign: BLAKE3 of [LtHash.Marshal]. Compare all of them.
func (l *LtHash) Checksum() [32]byte {
	var checksum [32]byte
	check(C.lthash_checksum(l.c(), (*C.uint8_t)(&checksum[0])))
	return checksum
}

// mix removes and inserts packed elements in one call.
func (l *LtHash) mix(removed, inserted *packed) {
	check(C.lthash_go_mix(l.c(), data(removed.elements), lengths(removed), C.size_t(len(removed.lengths)),
		data(inserted.elements), lengths(inserted), C.size_t(len(inserted.lengths))))
}

// ActiveBackend returns the name of the backend in use: portable, neon, avx2 or avx512.
func ActiveBackend() string {
	return C.GoString(C.lthash_backend_active())
}

// AvailableBackends returns the names of the backends that this processor can run, slowest first.
func AvailableBackends() []string {
	var names []string
	for {
		name := C.lthash_backend_available(C.size_t(len(names)))
		if name == nil {
			return names
		}
		names = append(names, C.GoString(name))
	}
}

// PinBackend makes all calls from now on use the backend of this name, or, if it is empty, the one that the library chooses
// by itself. Hashes are the same on every backend. It fails if the name is unknown, or if the backend is not available.
func PinBackend(name string) error {
	var pin *C.char
	if name != "" {
		pin = C.CString(name)
		defer C.free(unsafe.Pointer(pin))
	}
	if status := C.lthash_backend_pin(pin); status != C.LTHASH_STATUS_OK {
		return fmt.Errorf("lthash: backend %q: %s", name, text(status))
	}
	return nil
}

func (l *LtHash) c() *C.lthash_hash {
	return (*C.lthash_hash)(unsafe.Pointer(l))
}

func data(bytes []byte) unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(bytes))
}

func lengths(elements *packed) *C.size_t {
	return (*C.size_t)(unsafe.Pointer(unsafe.SliceData(elements.lengths)))
}

// check panics at an error. With what Go passes, there is none.
func check(status C.enum_lthash_status) {
	if status != C.LTHASH_STATUS_OK {
		panic("lthash: " + text(status))
	}
}

func text(status C.enum_lthash_status) string {
	return C.GoString(C.lthash_status_text(C.int32_t(status)))
}
