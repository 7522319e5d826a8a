import { type CustomTypesConfig, types } from 'pg';

const INT8 = 20;
const DATE = 1082;

/**
 * Raw SQL returns the same types as the ORM's entities: bigint as number (money fits in 2^53), timestamptz as Date, and
 * date as text. MikroORM's own setting returns moments as text, but it accepts these types as well.
 */
export const COLUMN_TYPES: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format === 'binary') return types.getTypeParser(oid, format);
    if (oid === INT8) return Number;
    if (oid === DATE) return String;
    return types.getTypeParser(oid);
  }) as typeof types.getTypeParser,
};
