import { z } from 'zod';

/** The format that this version writes, and the newest that it reads. */
export const FORMAT = 1;

/** The first file of an archive says what it is, and the last one has the checksum of each file before it. */
export const MANIFEST = 'quita-backup.json';
export const CHECKSUMS = 'checksums.json';
/** The folder of an archive that holds the files of DATA_DIR. */
export const DATA = 'data';

const moment = z.iso.datetime();

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  /** The version of Quita that made the archive. */
  version: z.string().max(100),
  /** The copy of Temporal begins at this moment, and that of PostgreSQL follows. */
  temporalAt: moment,
  /** Everything that was committed before this moment is in the archive. */
  takenAt: moment,
  /** The migrations that the database had. */
  migrations: z.array(z.string().max(200)).max(10_000),
  /** Secrets that the environment set, which the archive therefore lacks. */
  secretsElsewhere: z.array(z.string().max(100)).max(100),
});

export type Manifest = z.infer<typeof manifestSchema>;

const formatSchema = z.object({ format: z.number().int() });

export const parseManifest = (text: string): Manifest => {
  const read: unknown = JSON.parse(text);
  const { format } = formatSchema.parse(read);
  if (format > FORMAT) {
    throw new Error(
      `The archive was made by a newer version of Quita (format ${format}): restore it with that version`,
    );
  }
  return manifestSchema.parse(read);
};

/** The SHA-256 of each file by its path, in hexadecimal digits. */
export const checksumsSchema = z.record(z.string(), z.string().length(64));
