import { Migration } from '@mikro-orm/migrations';

/**
 * "É verdade?" finds a sender that is a word by the whole word. By the index of before, a word was found by its digits
 * alone, as if it were that number.
 */
export class Migration20261128052324_words_as_senders extends Migration {
  override name = 'Migration20261128052324_words_as_senders';

  override up(): void {
    this.addSql(`drop index "channel_senders_shown";`);
    this.addSql(
      `create index "channel_senders_spelt" on "channel_senders" ((case when "shown_as" ~ '[A-Za-z@]' then lower("shown_as") else regexp_replace("shown_as", '[^0-9]', '', 'g') end)) where replaced_at is null;`,
    );
  }
}
