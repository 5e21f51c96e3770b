import sharp from 'sharp'

/**
 * sharp with everything shut off that artwork must not reach. Import sharp from nowhere else.
 *
 * libvips would load SVG, TIFF, AVIF, PDF, CSV and more by content, whatever the file is called: every loader
 * is blocked, then the four for pictures in memory are let in again, so that no loader of a later libvips is
 * allowed by itself. The setting holds for the process. This stops file types, not files: a process that
 * decodes untrusted pictures must be one that can be killed.
 */
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadNsgifBuffer',
  ],
})
// The cache would keep untrusted pixels in memory between jobs.
sharp.cache(false)
// One thread per render process: the processes share the cores among them.
sharp.concurrency(1)

export { sharp }
