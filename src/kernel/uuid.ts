/** A UUID in the lower-case spelling that PostgreSQL and `randomUUID` write. */
export const LOWER_CASE_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
