import { Client } from './client.ts';
import { Outbox } from './outbox.ts';

export const ENTITIES = [Client, Outbox];
