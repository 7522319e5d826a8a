import { z } from 'zod';

export const author = z
  .object({ id: z.uuid(), name: z.string() })
  .meta({ id: 'Author', description: 'A member of your company' });

export const by = author
  .optional()
  .describe('The member who did it, also after it left; absent for an API key and for what the service does by itself');
