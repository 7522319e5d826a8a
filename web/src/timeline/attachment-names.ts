/** The types that programs open without running anything in them, with the ending of the name. */
const ENDINGS: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'audio/aac': 'aac',
  'audio/amr': 'amr',
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'video/3gpp': '3gp',
  'video/mp4': 'mp4',
};

/** The name under which a file is saved. The debtor's own name of it could end in anything. */
export const safeFileName = (attachmentId: string, contentType: string): string =>
  `anexo-${attachmentId.slice(0, 8)}.${ENDINGS[contentType.split(';')[0]!.trim()] ?? 'bin'}`;
