define internal float @warploom.NAME(float %x) alwaysinline nounwind readnone {
  %bits = bitcast float %x to i32
  %magnitude = and i32 %bits, 2147483647
  %has_fraction = icmp ult i32 %magnitude, 1258291200 ; 2^23, as an integer: a float of its own would be a load
  %integer = call i32 asm "fcvt.w.s $0, $1, MODE", "=r,f"(float %x)
  %converted = sitofp i32 %integer to float
  %signed = call float @llvm.copysign.f32(float %converted, float %x)
  %rounded = select i1 %has_fraction, float %signed, float %x
  ret float %rounded
}
