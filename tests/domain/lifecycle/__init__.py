"""Tables of the lifecycle: each handler of `decide`, and the kernel below them all."""
