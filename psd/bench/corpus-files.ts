/** A Photoshop file of another project, below the folder of the corpus, and the bar for its frames. */
export type CorpusFile = {
  readonly path: string
  /** smart objects that become frames, whatever names say; `all`: all visible ones */
  readonly frames?: 'all' | readonly string[]
  /** greatest mean difference in the frames, of 255; null: none is set */
  readonly bar: number | null
  /** of the whole picture */
  readonly wholeBar?: number
}

/**
 * Mockups and files with warps, by folder: `device-mockups` pixelsign/html5-device-mockups (MIT), `ag-psd`
 * Agamnentzar/ag-psd (MIT), `photoshop-api` EmilDohne/PhotoshopAPI (BSD-3-Clause), `psd-tools` of that name
 * (MIT), `psd-zoo` signal-slot/psd-zoo (CC0), `patchy` SethRobinson/Patchy (MIT), `mockup-tinker`
 * ArunRoy404/psd-mockup-processing-tinker (folder Mug), `batch-mockup` joonaspaakko's standalone example,
 * `ds` vasu2912/DS, `my-portfolio` mrkashewz/My-Portfolio. The last four state no licence: nothing of them
 * may be committed.
 */
export const corpusFiles: readonly CorpusFile[] = [
  { path: 'mockup-tinker/Mug_Thumbnail.psd', bar: 0.05, wholeBar: 0.05 },
  { path: 'mockup-tinker/Mug_Angle_2_Thumbnail.psd', bar: 0.05, wholeBar: 0.05 },
  { path: 'mockup-tinker/Mug_Angle_3_Thumbnail.psd', bar: 0.05, wholeBar: 0.05 },
  { path: 'mockup-tinker/Mug_Angle_4_Thumbnail.psd', bar: 0.05, wholeBar: 0.05 },
  { path: 'mockup-tinker/Mug_Angle_5_Thumbnail.psd', bar: 0.05, wholeBar: 0.05 },
  { path: 'device-mockups/MacbookPro/MacbookPro.psd', bar: 0.1, wholeBar: 0.05 },
  { path: 'device-mockups/Macbook2015/001-MacBook-Silver.psd', bar: 0.1, wholeBar: 0.05 },
  { path: 'device-mockups/Macbook2015/002-MacBook-Gold.psd', bar: 0.1, wholeBar: 0.05 },
  { path: 'device-mockups/Macbook2015/003-MacBook-Space-Gray.psd', bar: 0.1, wholeBar: 0.05 },
  { path: 'batch-mockup/example-mockup.psd', bar: 0.5 },
  { path: 'my-portfolio/awmockup.psd', bar: null },
  { path: 'ds/T-shirt-ITA.psd', frames: ['t-shirt-template-1093333_1280', 'italogo', 'Requirement 2'], bar: 0.2 },
  { path: 'ds/FORM.psd', bar: null },
  { path: 'photoshop-api/smart_objects_transformed.psd', frames: 'all', bar: 0.45 },
  { path: 'ag-psd/werps/src.psd', frames: 'all', bar: null },
  { path: 'ag-psd/placed-transform/src.psd', frames: 'all', bar: null },
  { path: 'ag-psd/cyllinder-warp/src.psd', frames: 'all', bar: null },
  { path: 'ag-psd/smart-object/src.psd', frames: 'all', bar: null },
  { path: 'ag-psd/smart-object-curves/src.psd', frames: 'all', bar: null },
  { path: 'psd-zoo/smart/filter_gaussian_20.psd', bar: 0.2 },
  { path: 'psd-zoo/smart/filter_motion_blur.psd', bar: 0.2 },
  { path: 'psd-zoo/smart/filter_multiple.psd', bar: 0.2 },
  { path: 'psd-zoo/smart/filter_stack.psd', bar: 0.2 },
]

/** Files whose smart objects are compared one by one with the pixels that Photoshop stored, and the bar. */
export const objectFiles: readonly CorpusFile[] = [
  { path: 'photoshop-api/smart_objects_transformed.psd', bar: 0.6 },
  { path: 'ag-psd/werps/src.psd', bar: 1 },
  { path: 'ag-psd/cyllinder-warp/src.psd', bar: 0.6 },
]

/** Pairs of layers in every blending mode. */
export const BLEND_FILE = 'psd-tools/rgb-blend-modes.psd'

/** Adjustments and masks: our drawing of all layers against the picture that Photoshop saved. */
export const compositeFiles: readonly CorpusFile[] = [
  { path: 'psd-tools/levels_rgb.psd', bar: 0.47 },
  { path: 'psd-tools/curves_rgb.psd', bar: 0.38 },
  { path: 'psd-tools/posterize_rgb.psd', bar: 0.39 },
  { path: 'psd-tools/invert_rgb.psd', bar: 0.1 },
  { path: 'psd-tools/threshold_rgb.psd', bar: 0.106 },
  { path: 'psd-tools/brightnesscontrast_rgb.psd', bar: 0.53 },
  { path: 'psd-tools/brightnesscontrast_legacy_rgb.psd', bar: 0.53 },
  { path: 'psd-tools/huesaturation_rgb.psd', bar: 0.48 },
  { path: 'psd-tools/huesaturation_saturation_rgb.psd', bar: 0.48 },
  { path: 'psd-tools/huesaturation_lightness_rgb.psd', bar: 0.48 },
  { path: 'psd-tools/huesaturation_colorize_rgb.psd', bar: 0.48 },
  { path: 'patchy/photoshop-color-balance.psd', bar: 0.4 },
  { path: 'patchy/photoshop-color-balance-full.psd', bar: 0.4 },
  { path: 'psd-tools/mask-density-layervectormask.psd', bar: 0.2 },
  { path: 'psd-tools/levels_grayscale.psd', bar: 0.6 },
  { path: 'psd-tools/curves_grayscale.psd', bar: 0.38 },
  { path: 'psd-tools/adjustment_clipping.psd', bar: 0.4 },
  { path: 'psd-tools/passthrough_clipping_mask_blendmode.psd', bar: 0.1 },
  { path: 'psd-tools/passthrough_fill_adjustment.psd', bar: 0.2 },
  { path: 'psd-zoo/adjustment/gradient_map.psd', bar: 0.4 },
  { path: 'psd-zoo/adjustment/gradient_map_custom.psd', bar: 0.4 },
  { path: 'psd-zoo/mask/vector_mask_density.psd', bar: 0.1 },
  { path: 'psd-zoo/mask/vector_mask_feather.psd', bar: 0.7 },
  { path: 'psd-tools/adjustment-mask.psd', bar: null },
  { path: 'psd-tools/clipping-mask2.psd', bar: null },
  { path: 'psd-tools/group-clipping.psd', bar: null },
  { path: 'psd-tools/mask-density-layermask.psd', bar: null },
  { path: 'psd-tools/vector-mask.psd', bar: null },
]
