import sharp from 'sharp'

/**
 * sharp without the loaders that artwork must not reach; import sharp from nowhere else. libvips selects
 * loaders by content, so all are blocked, then four allowed. This limits file types only: a process that
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
// The cache would retain untrusted pixels in memory between jobs.
sharp.cache(false)
// One thread per render process: the processes share the cores.
sharp.concurrency(1)

export { sharp }
