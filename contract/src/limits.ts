/** The limits that a caller can reach. Each has a reason; a test checks each limit and one past it. */
export const limits = {
  /** Templates in one batch request, as the interface specifies. */
  batchTemplatesMax: 12,
  /** Output width in pixels, as the interface specifies. */
  widthPxMin: 1,
  widthPxMax: 4000,
  widthPxDefault: 2000,
  /** JPEG quality, as the interface specifies. */
  qualityMin: 1,
  qualityMax: 100,
  qualityDefault: 85,
  /** One artwork, uploaded or downloaded: 20 MB, meaning 20 * 1024 * 1024 bytes. */
  artworkSizeBytesMax: 20 * 1024 * 1024,
  /** Frames of one template, and thus artworks of one request, as the bundle format specifies. */
  framesMax: 16,
  /** A JSON body contains only parameters: 12 ids and 16 URLs of full length are about 140 KB. */
  jsonBodySizeBytesMax: 1024 * 1024,
  /** Text fields of a multipart body: as much as a JSON body. */
  multipartFieldSizeBytesMax: 1024 * 1024,
  /** Parts of a multipart body: 12 ids, 16 files and 8 parameters are 36; the rest may be unknown fields. */
  multipartPartsMax: 200,
  /** RFC 2046 section 5.1.1: a boundary has 1 to 70 characters. Longer ones have crashed parsers. */
  multipartBoundaryCharactersMax: 70,
  /** Header lines of one part: a name, a file name of 255 characters and a type need less than 1 KB. */
  multipartPartHeaderBytesMax: 2048,
  /** Parameters in the header of one part: only name, filename and filename* are known. */
  multipartParametersMax: 8,
  /** Header lines of all parts: 200 parts as written by browsers have 30 KB. */
  multipartHeadersBytesMax: 64 * 1024,
  /** Entries of an object or list in a request: four times the frames, so that errors can name wrong keys. */
  entriesMax: 64,
  /** Longer URLs are data rather than addresses. */
  urlCharactersMax: 8192,
  /** Templates per page of a list. */
  listItemsMax: 100,
  listItemsDefault: 50,
  /** Days of a usage period. */
  usageDaysMax: 365,
  usagePeriodDefault: '30d',
  /** Templates listed in usage statistics. */
  topTemplatesMax: 10,
  /** Characters of an Idempotency-Key. */
  idempotencyKeyCharactersMax: 255,
  /** The zip of a bundle is about as large as its content, since pictures don't shrink. */
  bundleSizeBytesMax: 200 * 1024 * 1024,
  /** Size of a PSD or PSB; mockup designers sell files of up to some 300 MB. */
  psdSizeBytesMax: 500_000_000,
  /** Size of a displacement map: 40 megapixels, the most that are read, in grey with a layer have 80 MB. */
  psdMapSizeBytesMax: 100_000_000,
  /** Displacement maps of one Photoshop file. */
  psdMapsMax: 16,
  /** Size of the parts of an uploaded Photoshop file: 2 Mbit/s sends one within a request's deadline. */
  psdPartBytes: 4 * 1024 * 1024,
  /** Photoshop files of one account that have not become a template yet. */
  psdImportsMax: 3,
  /** Private templates of one account: enough for a shop, too few to fill a disk. */
  privateTemplatesMax: 500,
  /** Tags of one template, and characters of a tag: each is a label beside others. */
  templateTagsMax: 10,
  templateTagCharactersMax: 40,
  /** Scenes behind one link: more than anyone compares; each is a request of its page. */
  proofScenesMax: 60,
  /** Colours of one of these scenes: as many as a template has areas. */
  proofColorsMax: 8,
  /** An answer to a link as JSON: 60 placed scenes with colours and the longest message take some 22 KB. */
  proofAnswerBytesMax: 24 * 1024,
  /** The picture of a scene at the time a link is sent, 480 px wide: fine patterns take 200 KB at most. */
  proofStillBytesMax: 256 * 1024,
  /** The thumbnail of a mockup in a list, 320 px wide: fine patterns take 40 KB. */
  mockupThumbnailBytesMax: 64 * 1024,
  /** Mockups that one request removes by id: a page of the list. */
  mockupsRemovedMax: 100,
  /** The name of a key: a label in lists. */
  keyNameCharactersMax: 100,
  /** Addresses and networks that one key is limited to: each is compared at every request. */
  keyAddressesMax: 50,
  /** A longer lifetime than ten years is a mistake: such a key needs no expiry. */
  keyLifetimeDaysMax: 3660,
  /** How many days before a key expires a mail and the pages announce it: one release cycle. */
  keyExpiryNoticeDays: 7,
  /** How long a rotated key works beside the new one: at most 30 days, since two keys are two risks. */
  keyOverlapHoursDefault: 24,
  keyOverlapHoursMax: 30 * 24,
  /** Hours that a sign-in link from an operator is valid: until the next morning. */
  handedLinkHours: 24,
  /** Origins of one publishable key: a shop and its test sites; each is compared at every load. */
  pageOriginsMax: 20,
  /** Templates listed in one publishable key; a key without a list opens all shared ones. */
  pageTemplatesMax: 200,
  /** Active publishable keys of one account. */
  publishableKeysMax: 100,
  /** Width in pixels of what a publishable key opens: from a list's card to a page's picture, no print. */
  pageWidthPxMin: 400,
  pageWidthPxMax: 960,
  /** A longer watermark would be too small to read at 400 px. */
  watermarkCharactersMax: 40,
  /** Loads of a publishable key in 24 hours: a busy shop's visitors, and the maximum setting. */
  pageLoadsPerDayDefault: 100_000,
  pageLoadsPerDayMax: 10_000_000,
  /** A password of the dashboard: at least 8 (NIST SP 800-63B 5.1.1.2); the maximum keeps hashing fast. */
  passwordCharactersMin: 8,
  passwordCharactersMax: 128,
} as const
