import { sql } from 'kysely';
import type { RealChannel } from '../../../kernel/messaging-channels.ts';
import { prepared } from '../../../platform/database/queries/builder.ts';
import type { CountedKind } from '../rules/counted-kinds.ts';

interface Counted {
  readonly messageId: string;
  readonly clientId: string;
  /** Null for a request for a phone. */
  readonly campaignId: string | null;
  readonly channel: RealChannel;
  readonly senderId: string;
  readonly kind: CountedKind;
}

/**
 * Counts a message that its channel has just accepted. A report may have come before: it knows the category that Meta has
 * given a template, and how the message was sent is known here.
 */
export const countAccepted = prepared(
  'count_accepted',
  (queries, counted: Counted & { readonly units: number; readonly at: Date; readonly deliveredAt: Date | null }) =>
    queries
      .insertInto('counted_messages')
      .values({
        messageId: counted.messageId,
        clientId: counted.clientId,
        campaignId: counted.campaignId,
        channel: counted.channel,
        senderId: counted.senderId,
        kind: counted.kind,
        units: counted.units,
        acceptedAt: counted.at,
        deliveredAt: counted.deliveredAt,
      })
      .onConflict((conflict) =>
        conflict.column('messageId').doUpdateSet({
          kind: sql<CountedKind>`case when excluded.kind = 'service' then excluded.kind
            when counted_messages.kind = 'service' then excluded.kind else counted_messages.kind end`,
        }),
      ),
);

/**
 * Counts what a channel reports of a message. Reports come twice, late and in any order, so the row changes only when one
 * says something new, and the earliest moment of the delivery stays.
 */
export const countReported = prepared(
  'count_reported',
  (
    queries,
    reported: Counted & {
      /** True where the kind is what the channel says, and not a guess. */
      readonly isNamed: boolean;
      readonly isFree: boolean;
      readonly acceptedAt: Date;
      readonly reportedAt: Date;
      readonly deliveredAt: Date | null;
    },
  ) =>
    queries
      .insertInto('counted_messages')
      .values({
        messageId: reported.messageId,
        clientId: reported.clientId,
        campaignId: reported.campaignId,
        channel: reported.channel,
        senderId: reported.senderId,
        kind: reported.kind,
        isFree: reported.isFree,
        acceptedAt: reported.acceptedAt,
        reportedAt: reported.reportedAt,
        deliveredAt: reported.deliveredAt,
      })
      .onConflict((conflict) =>
        conflict
          .column('messageId')
          .doUpdateSet({
            // How the message was sent is certain; Meta alone says the category of a template.
            kind: sql<CountedKind>`case when counted_messages.kind <> 'service' and excluded.kind <> 'service'
              and ${reported.isNamed}::boolean then excluded.kind else counted_messages.kind end`,
            isFree: sql<boolean>`counted_messages.is_free or excluded.is_free`,
            reportedAt: sql<Date>`coalesce(counted_messages.reported_at, excluded.reported_at)`,
            deliveredAt: sql<Date>`least(counted_messages.delivered_at, excluded.delivered_at)`,
          })
          .where(
            sql<boolean>`counted_messages.reported_at is null
              or excluded.delivered_at < coalesce(counted_messages.delivered_at, 'infinity')`,
          ),
      ),
);
