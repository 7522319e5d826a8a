import { Migration } from '@mikro-orm/migrations';

/**
 * A payment that the client received elsewhere is stored like a charge; a revoked receipt may become valid again; and a
 * second payment of a debt counts as recovered while the creditor has it. What is stored already is brought in line with
 * that: the figures of second payments and of refunded parts, receipts that were revoked although another payment covers
 * their debt, and second payments that are to be returned.
 */
export class Migration20261122150520_payments_outside_and_restored_receipts extends Migration {
  override name = 'Migration20261122150520_payments_outside_and_restored_receipts';

  override up(): void {
    this.addSql(`alter table "charges" drop constraint "charges_provider_known";`);
    this.addSql(
      `alter table "charges" add "provider_updated_at" timestamptz(3) null, add "settled_centavos" bigint null, add "method" text null, add "note" text null;`,
    );
    this.addSql(
      `alter table "charges" add constraint "charges_method_known" check (method in ('pix', 'cash', 'bank_transfer', 'boleto', 'card', 'cheque', 'other'));`,
    );
    this.addSql(
      `alter table "charges" add constraint "charges_method_of_outside" check ((provider = 'outside') = (method is not null));`,
    );
    this.addSql(
      `alter table "charges" add constraint "charges_provider_known" check (provider in ('sandbox', 'mercadopago', 'outside'));`,
    );

    this.addSql(`alter table "receipts" add "restored_at" timestamptz(3) null;`);
    this.addSql(
      `alter table "receipts" add constraint "receipts_restored_after_revoked" check (restored_at is null or revoked_at is not null);`,
    );

    // Row security that is forced on the owner as well would hide every row from these statements.
    const tables = ['campaign_days', 'charges', 'debts', 'inbox_items', 'receipts'];
    for (const table of tables) this.addSql(`alter table "${table}" no force row level security;`);
    // What has gone back of a part since did not go back before the debt was settled, so the sum covers the debt.
    this.addSql(`update "charges" set "settled_centavos" = greatest("debts"."original_amount_centavos",
        "charges"."paid_centavos" + coalesce((
          select sum(greatest(0, part."paid_centavos" - part."refunded_centavos")) from "charges" part
          where part."debt_id" = "charges"."debt_id" and part."id" <> "charges"."id"
            and part."underpaid_at" is not null and part."charged_back_at" is null), 0))
      from "debts" where "debts"."id" = "charges"."debt_id" and "charges"."approved_at" is not null
        and not "charges"."duplicate" and "charges"."underpaid_at" is null;`);
    const kept = `case when c."charged_back_at" is null then greatest(0, c."paid_centavos" - c."refunded_centavos") else 0 end`;
    this.addSql(`update "receipts" set "restored_at" = now(), "outdated" = "pdf" is not null, "rendering_by" = null,
        "rendering_until" = null
      from "debts" own where own."id" = "receipts"."debt_id" and "receipts"."revoked_at" is not null
        and own."original_amount_centavos" <= (
          select sum(c."paid_centavos") from "charges" c join "debts" one on one."id" = c."debt_id"
          where one."identity_id" = own."identity_id" and ${kept} > 0);`);
    const counts = `insert into "campaign_days" ("campaign_id", "client_id", "day", "slot", "recovered_centavos")`;
    const add = `on conflict ("campaign_id", "day", "slot") do update
      set "recovered_centavos" = "campaign_days"."recovered_centavos" + excluded."recovered_centavos"`;
    this.addSql(`${counts}
      select d."campaign_id", d."client_id", (c."approved_at" at time zone 'America/Sao_Paulo')::date, 0, sum(${kept})
      from "charges" c join "debts" d on d."id" = c."debt_id"
      where c."approved_at" is not null and c."duplicate" group by 1, 2, 3 having sum(${kept}) <> 0
      ${add};`);
    // The former figures did not deduct what went back of a part after the rest had settled the debt.
    this.addSql(`${counts}
      select has."campaign_id", has."client_id", (now() at time zone 'America/Sao_Paulo')::date, 0,
        has.centavos - counted.centavos
      from (
        select d."campaign_id", d."client_id", sum(${kept}) as centavos,
          bool_or(c."underpaid_at" is not null and ${kept} < c."paid_centavos") as part_returned
        from "charges" c join "debts" d on d."id" = c."debt_id"
        where d."status" = 'PAID' and c."paid_centavos" > 0 group by 1, 2
      ) has join (
        select "campaign_id", sum("recovered_centavos") as centavos from "campaign_days" group by 1
      ) counted on counted."campaign_id" = has."campaign_id"
      where has.part_returned and has.centavos <> counted.centavos
      ${add};`);
    // A second payment is not to be returned when the creditor has no more than the debt without it.
    this.addSql(`update "inbox_items" set "closed_at" = now() from "debts" d
      where d."id" = "inbox_items"."debt_id" and "inbox_items"."reason" = 'duplicate' and "inbox_items"."closed_at" is null
        and d."original_amount_centavos" >= (
          select coalesce(sum(${kept}), 0) from "charges" c where c."debt_id" = d."id");`);
    for (const table of tables) this.addSql(`alter table "${table}" force row level security;`);
  }
}
