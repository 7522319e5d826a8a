import { Migration } from '@mikro-orm/migrations';

/**
 * The worker moves a request that still waits, with its file, from a debt that is erased to one that the client keeps of
 * the person. It reads no content of a file.
 */
export class Migration20261129123600_files_of_kept_requests extends Migration {
  override name = 'Migration20261129123600_files_of_kept_requests';

  override up(): void {
    this.addSql(`grant select (request_id), update (debt_id) on "rights_files" to quita_worker;`);
  }
}
