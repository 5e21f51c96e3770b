/** The limits that a caller can meet. Each has its reason; a test stands at the bound and one past it. */
export const limits = {
  /** Templates in one batch request: the interface's number. */
  batchTemplatesMax: 12,
  /** Output width in pixels: the interface's number. */
  widthPxMin: 1,
  widthPxMax: 4000,
  widthPxDefault: 2000,
  /** JPEG quality: the interface's numbers. */
  qualityMin: 1,
  qualityMax: 100,
  qualityDefault: 85,
  /** One artwork, uploaded or fetched: 20 MB, read as 20 * 1024 * 1024 bytes. */
  artworkSizeBytesMax: 20 * 1024 * 1024,
  /** Frames of one template, and so artworks of one request: the bundle format's number. */
  framesMax: 16,
  /** A JSON body holds parameters alone: 12 ids and 16 URLs of full length are about 140 KB. */
  jsonBodySizeBytesMax: 1024 * 1024,
  /** Text fields of a multipart body: as much as a JSON body. */
  multipartFieldSizeBytesMax: 1024 * 1024,
  /** Parts of a multipart body: 12 ids, 16 files and 8 parameters are 36; the rest may be unknown fields. */
  multipartPartsMax: 200,
  /** RFC 2046 section 5.1.1: a boundary has 1 to 70 characters. Longer ones have crashed parsers. */
  multipartBoundaryCharactersMax: 70,
  /** Header lines of one part: a name, a file name of 255 characters and a type need less than 1 KB. */
  multipartPartHeaderBytesMax: 2048,
  /** Parameters in the header of one part: name, filename and filename* are known. */
  multipartParametersMax: 8,
  /** Header lines of all parts: 200 parts as browsers write them have 30 KB. */
  multipartHeadersBytesMax: 64 * 1024,
  /** Entries of an object or a list in a request: four times the frames, so that wrong keys are named. */
  entriesMax: 64,
  /** Longer addresses are data, not addresses. */
  urlCharactersMax: 8192,
  /** Templates of one list page. */
  listItemsMax: 100,
  listItemsDefault: 50,
  /** Days of one usage period. */
  usageDaysMax: 365,
  usagePeriodDefault: '30d',
  /** Templates that the usage statistics name. */
  topTemplatesMax: 10,
  /** Characters of an Idempotency-Key. */
  idempotencyKeyCharactersMax: 255,
  /** The zip of a bundle is about as large as what is in it: pictures don't shrink. */
  bundleSizeBytesMax: 200 * 1024 * 1024,
  /** Of a PSD or PSB; makers of mockups sell files of up to some 300 MB. */
  psdSizeBytesMax: 500_000_000,
  /** A Photoshop file is sent in parts: a connection of 2 Mbit/s sends one within the time of a request. */
  psdPartBytes: 4 * 1024 * 1024,
  /** Photoshop files of one account that became no template yet. */
  psdImportsMax: 3,
  /** Private templates of one account: enough for a shop, too few to fill a disk with. */
  privateTemplatesMax: 500,
  /** Tags of one template, and the letters of one: each is a label beside others. */
  templateTagsMax: 10,
  templateTagCharactersMax: 40,
  /** Scenes behind one link: more than anybody compares, each a request of its page. */
  proofScenesMax: 60,
  /** Colours of one of these scenes: as many as a template has areas. */
  proofColorsMax: 8,
  /** An answer to a link as JSON: 60 placed scenes with colours and the longest word take some 22 KB. */
  proofAnswerBytesMax: 24 * 1024,
  /** The picture of such a scene as it was sent, 480 px wide: fine patterns take 200 KB at most. */
  proofStillBytesMax: 256 * 1024,
  /** The small picture of a mockup in a list, 320 px wide: fine patterns take 40 KB. */
  mockupThumbnailBytesMax: 64 * 1024,
  /** Mockups that one request removes by their ids: a page of the list. */
  mockupsRemovedMax: 100,
  /** The name of a key: a label in lists. */
  keyNameCharactersMax: 100,
  /** Addresses and networks that one key is limited to: each is compared at every request. */
  keyAddressesMax: 50,
  /** A key that lives longer than ten years is one without an end, or a typing error. */
  keyLifetimeDaysMax: 3660,
  /** A mail says so many days before that a key expires, and the pages say it: a release cycle's time. */
  keyExpiryNoticeDays: 7,
  /** How long a rotated key goes on beside the new one: at most 30 days, as two keys are two risks. */
  keyOverlapHoursDefault: 24,
  keyOverlapHoursMax: 30 * 24,
  /** A sign-in link that an operator hands to another person: it may be read the next morning. */
  handedLinkHours: 24,
  /** Origins of one publishable key: a shop and its test sites; each is compared at every load. */
  pageOriginsMax: 20,
  /** Templates that one publishable key names; one without names opens all that are shared. */
  pageTemplatesMax: 200,
  /** Publishable keys of one account that are not revoked. */
  publishableKeysMax: 100,
  /** Width in pixels of what a publishable key opens: a list's card to a page's picture, never a print. */
  pageWidthPxMin: 400,
  pageWidthPxMax: 960,
  /** A watermark that is longer would be too small to be read in 400 px. */
  watermarkCharactersMax: 40,
  /** Loads of a publishable key in 24 hours: a busy shop's visitors; the most that one key may be set to. */
  pageLoadsPerDayDefault: 100_000,
  pageLoadsPerDayMax: 10_000_000,
  /** A password of the dashboard: at least 8 (NIST SP 800-63B 5.1.1.2); a bound keeps hashing short. */
  passwordCharactersMin: 8,
  passwordCharactersMax: 128,
} as const
