/** What a file is, by its content alone: neither its name nor what a browser says of it is believed. */
export const FILE_TYPES = ['application/pdf', 'image/jpeg', 'image/png'] as const;
export type FileType = (typeof FILE_TYPES)[number];

export const MAX_FILE_BYTES = 5 * 1024 * 1024;

const BEGINNINGS: Readonly<Record<FileType, readonly number[]>> = {
  'application/pdf': [0x25, 0x50, 0x44, 0x46, 0x2d],
  'image/jpeg': [0xff, 0xd8, 0xff],
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
};

export const FILE_ENDINGS: Readonly<Record<FileType, string>> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
};

/** Returns null for a content that is none of these. */
export const fileTypeOf = (bytes: Uint8Array): FileType | null =>
  FILE_TYPES.find((type) => BEGINNINGS[type].every((byte, at) => bytes[at] === byte)) ?? null;
