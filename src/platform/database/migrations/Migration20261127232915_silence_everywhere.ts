import { Migration } from '@mikro-orm/migrations';

/** A test message asks `asked_for_silence` about the whole deployment; row security shows a client its own rows only. */
export class Migration20261127232915_silence_everywhere extends Migration {
  override name = 'Migration20261127232915_silence_everywhere';

  override up(): void {
    this.addSql(`create policy "functions_select" on "suppressions" for select to "quita_functions" using (true);`);
    this.addSql('grant select (person_key, phone_key, sandbox) on "suppressions" to quita_functions;');
  }
}
