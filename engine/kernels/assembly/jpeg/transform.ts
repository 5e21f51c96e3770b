// Transforms a block's coefficients to samples, by the transform of its scale.

import { setFault } from './bits';
import { GREATEST_COEFFICIENT, exactBlock } from './exact-transform';
import { address, field } from '../fields';
import {
  COSINES_X, COSINES_Y, EXACT_TRANSFORM, FAULT_COEFFICIENT, FLAT_TRANSFORM, FOUR_TRANSFORM, QUANTISER, SAMPLES_X,
  SAMPLES_Y, SCRATCH_PASSES, SMALL_TRANSFORM, TARGET, TARGET_STRIDE, TRANSFORM,
} from './records.ts';
import { transform4x4, transformLarge, transformSmall } from './reduced-transform';

/** Fills the block with its one sample: libjpeg's rounding of a block without AC coefficients. */
function storeFlat(record: usize, coefficients: usize): void {
  const target = address(record, TARGET);
  const stride = address(record, TARGET_STRIDE);
  const width = field(record, SAMPLES_X);
  const product = <i32><i16>(<i32>load<i16>(coefficients) * <i32>load<i16>(address(record, QUANTISER)));
  if (product > GREATEST_COEFFICIENT || product < ~GREATEST_COEFFICIENT) setFault(FAULT_COEFFICIENT);
  const sample = ((product + 4) >> 3) + 128;
  const samples = i8x16.splat(<i8>(sample < 0 ? 0 : sample > 255 ? 255 : sample));
  const end = target + <usize>field(record, SAMPLES_Y) * stride;
  for (let row = target; row < end; row += stride) {
    if (width > 8) v128.store(row, samples);
    else if (width > 4) v128.store64_lane(row, samples, 0);
    else v128.store32_lane(row, samples, 0);
  }
}

/**
 * Transforms a block whose last coefficient has zigzag index `last` into its samples. Narrow blocks write up
 * to four samples or eight samples too many to the right: the next block overwrites them, and rows have
 * passes at their end. `scratch`: see records.ts.
 */
export function transformBlock(record: usize, coefficients: usize, last: i32, scratch: usize): void {
  const kind = field(record, TRANSFORM);
  if (last == 0 || kind == FLAT_TRANSFORM) {
    storeFlat(record, coefficients);
    return;
  }
  const target = address(record, TARGET);
  const stride = address(record, TARGET_STRIDE);
  const quantiser = address(record, QUANTISER);
  const cosinesX = address(record, COSINES_X);
  if (kind == FOUR_TRANSFORM) {
    transform4x4(coefficients, quantiser, target, stride, cosinesX);
    return;
  }
  const cosinesY = address(record, COSINES_Y);
  const across = field(record, SAMPLES_X);
  const down = field(record, SAMPLES_Y);
  const passes = scratch + SCRATCH_PASSES;
  // zigzag indices below 10 are all in the first four rows and columns
  const isFew = last < 10;
  if (kind == EXACT_TRANSFORM) exactBlock(coefficients, quantiser, target, stride, cosinesY, isFew, passes);
  else if (kind == SMALL_TRANSFORM) transformSmall(coefficients, quantiser, target, stride, across, down, cosinesX, cosinesY, passes);
  else transformLarge(coefficients, quantiser, target, stride, across, down, cosinesX, cosinesY, isFew, passes);
}
