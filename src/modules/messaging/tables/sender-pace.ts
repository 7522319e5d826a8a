import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant } from '../../../platform/database/tables/columns.ts';

/** When a sender may send its next message. All workers share it, and it names nobody. */
export const SenderPace = defineEntity({
  name: 'SenderPace',
  tableName: 'sender_pace',
  properties: {
    /** Channel and sender, such as `whatsapp:1234`. */
    scope: p.text().primary(),
    freeFrom: instant(),
  },
});

/** How many people an account began to reach in each hour, because channels limit those of 24 hours. It names nobody. */
export const AccountHour = defineEntity({
  name: 'AccountHour',
  tableName: 'account_hours',
  properties: {
    /** Channel and account, or sender where there is no account. */
    scope: p.text().primary(),
    hour: instant().primary(),
    people: p.integer(),
  },
});
