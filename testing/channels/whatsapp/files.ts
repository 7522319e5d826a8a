/** The files of one number: documents that were uploaded, attachments of debtors, and examples for templates. */
import { randomUUID } from 'node:crypto';
import { type Answer, graphError, missingObject } from './answers.ts';

export interface FakeFile {
  readonly contentType: string;
  readonly content: Buffer;
  /** Where the file is said to be; at the fake itself when absent. */
  readonly url?: string;
  readonly claimedSize?: number;
}

export class FakeFiles {
  readonly all = new Map<string, FakeFile>();

  /** Keeps a file, as if a debtor had sent it, and returns its id. */
  attach(contentType: string, content: Buffer, change: Partial<FakeFile> = {}): string {
    const id = String(1_003_383_421_387_256 + this.all.size);
    this.all.set(id, { contentType, content, ...change });
    return id;
  }

  async upload(contentType: string, body: Buffer): Promise<Answer> {
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData();
    const file = form.get('file');
    if (form.get('messaging_product') !== 'whatsapp' || file === null || typeof file === 'string') {
      return graphError(100);
    }
    return { status: 200, body: { id: this.attach(file.type, Buffer.from(await file.arrayBuffer())) } };
  }

  /** `id` says where the file is and what it is, `files/id` is the file. */
  read(path: string, baseUrl: string): Answer {
    const id = path.replace(/^files\//, '');
    const found = this.all.get(id);
    if (found === undefined) return missingObject;
    const { contentType, content, url = `${baseUrl}/files/${id}`, claimedSize = content.byteLength } = found;
    if (path !== id) return { status: 200, headers: { 'content-type': contentType }, body: content };
    const answer = { messaging_product: 'whatsapp', url, mime_type: contentType, sha256: '…', file_size: claimedSize };
    return { status: 200, body: { ...answer, id } };
  }
}

/** An example for a template is uploaded in a session of the app, and is named by a handle afterwards. */
export function takeExample(offset: unknown, body: Buffer, handles: Set<string>): Answer {
  if (offset !== '0' || body.subarray(0, 5).toString() !== '%PDF-') return graphError(100);
  const handle = `4::YXBwbGljYXRpb24vcGRm:${randomUUID()}`;
  handles.add(handle);
  return { status: 200, body: { h: handle } };
}
