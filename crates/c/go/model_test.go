package lthash

import (
	"encoding/binary"
	"math/bits"
)

// This file is the hash in plain Go, as the BLAKE3 specification (sections 2.1 to 2.6) and the paper of LtHash have it.

const (
	chunkStart = 1 << iota
	chunkEnd
	parent
	root
)

var iv = [8]uint32{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}

var permutation = [16]int{2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8}

// node is the input of a compression, but for the counter of the output.
type node struct {
	chaining [8]uint32
	block    [16]uint32
	counter  uint64
	length   uint32
	flags    uint32
}

func (n node) compress() [16]uint32 {
	v := [16]uint32{
		8: iv[0], 9: iv[1], 10: iv[2], 11: iv[3],
		12: uint32(n.counter), 13: uint32(n.counter >> 32), 14: n.length, 15: n.flags,
	}
	copy(v[:8], n.chaining[:])
	quarter := func(a, b, c, d int, x, y uint32) {
		v[a] += v[b] + x
		v[d] = bits.RotateLeft32(v[d]^v[a], -16)
		v[c] += v[d]
		v[b] = bits.RotateLeft32(v[b]^v[c], -12)
		v[a] += v[b] + y
		v[d] = bits.RotateLeft32(v[d]^v[a], -8)
		v[c] += v[d]
		v[b] = bits.RotateLeft32(v[b]^v[c], -7)
	}
	m := n.block
	for range 7 {
		for i := range 4 {
			quarter(i, 4+i, 8+i, 12+i, m[2*i], m[2*i+1])
		}
		for i := range 4 {
			quarter(i, 4+(i+1)%4, 8+(i+2)%4, 12+(i+3)%4, m[8+2*i], m[9+2*i])
		}
		var permuted [16]uint32
		for i, from := range permutation {
			permuted[i] = m[from]
		}
		m = permuted
	}
	for i := range 8 {
		v[i] ^= v[i+8]
		v[i+8] ^= n.chaining[i]
	}
	return v
}

func (n node) output() [8]uint32 {
	v := n.compress()
	return [8]uint32(v[:8])
}

func chunk(data []byte, counter uint64) node {
	n := node{chaining: iv, counter: counter, flags: chunkStart}
	for {
		var block [64]byte
		length := copy(block[:], data)
		for i := range n.block {
			n.block[i] = binary.LittleEndian.Uint32(block[4*i:])
		}
		n.length = uint32(length)
		data = data[length:]
		if len(data) == 0 {
			n.flags |= chunkEnd
			return n
		}
		n.chaining = n.output()
		n.flags = 0
	}
}

// tree is the top node over data, whose first chunk has this counter.
func tree(data []byte, counter uint64) node {
	if len(data) <= 1024 {
		return chunk(data, counter)
	}
	left := 1024
	for 2*left < len(data) {
		left *= 2
	}
	n := node{chaining: iv, length: 64, flags: parent}
	for i, word := range tree(data[:left], counter).output() {
		n.block[i] = word
	}
	for i, word := range tree(data[left:], counter+uint64(left/1024)).output() {
		n.block[8+i] = word
	}
	return n
}

func modelOutput(data []byte, length int) []byte {
	n := tree(data, 0)
	n.flags |= root
	var output []byte
	for n.counter = 0; len(output) < length; n.counter++ {
		for _, word := range n.compress() {
			output = binary.LittleEndian.AppendUint32(output, word)
		}
	}
	return output[:length]
}

// model is a multiset's limbs.
type model [LtHashSize]uint16

// add adds a record as often as times says.
func (m *model) add(key, value []byte, times uint16) {
	if len(key) == 0 || len(value) == 0 {
		return
	}
	element := binary.LittleEndian.AppendUint32(nil, uint32(len(key)))
	element = append(element, key...)
	element = binary.LittleEndian.AppendUint32(element, uint32(len(value)))
	element = append(element, value...)
	m.addElement(element, times)
}

func (m *model) addElement(element []byte, times uint16) {
	output := modelOutput(element, LtHashBytes)
	for i := range m {
		m[i] += times * binary.LittleEndian.Uint16(output[2*i:])
	}
}

func (m *model) apply(pairs []KVPairWithLastValue) {
	for _, pair := range pairs {
		m.add(pair.Key, pair.LastValue, 0xffff)
		if !pair.Delete {
			m.add(pair.Key, pair.Value, 1)
		}
	}
}

func (m *model) bytes() []byte {
	var bytes []byte
	for _, limb := range m {
		bytes = binary.LittleEndian.AppendUint16(bytes, limb)
	}
	return bytes
}
