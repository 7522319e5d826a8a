import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseSignatureHeader, signatureManifest, signatureQuestion } from './webhook-signature.ts';

const HASH = 'ab'.repeat(32);
const OTHER = 'cd'.repeat(32);
const base = { signature: `ts=1742505638,v1=${HASH}`, requestId: 'req-1', queryDataId: '123', bodyDataId: undefined };
const manifests = (notification: Parameters<typeof signatureQuestion>[0]) =>
  signatureQuestion(notification)?.candidates.map((candidate) => candidate.manifest) ?? null;

describe('signature header', () => {
  it.each([
    ['seconds', `ts=1742505638,v1=${HASH}`, { ts: '1742505638', hashes: [HASH] }],
    ['milliseconds', `ts=1742505638683,v1=${HASH}`, { ts: '1742505638683', hashes: [HASH] }],
    ['other order, spaces, upper case', ` v1=${HASH.toUpperCase()} , ts = 1 `, { ts: '1', hashes: [HASH] }],
    ['several v1 and unknown parts', `v0=x,ts=1,v1=${HASH},v2=y,v1=${OTHER}`, { ts: '1', hashes: [HASH, OTHER] }],
  ])('reads %s', (_what, header, expected) => {
    expect(parseSignatureHeader(header)).toEqual(expected);
  });

  it.each([
    [undefined],
    [''],
    ['ts=1'],
    [`v1=${HASH}`],
    [`ts=,v1=${HASH}`],
    ['ts=1,v1='],
    [`ts=1,v1=${HASH.slice(1)}`],
    [`ts=1,v1=${HASH},v1=short`],
    [`ts=1,ts=2,v1=${HASH}`],
    [`ts=1;id:5,v1=${HASH}`],
    [`ts=-1,v1=${HASH}`],
    [`ts=1 v1=${HASH}`],
    ['a,b,c'],
  ])('refuses %p', (header) => {
    expect(parseSignatureHeader(header)).toBeNull();
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        parseSignatureHeader(text);
      }),
    );
  });
});

describe('signed text', () => {
  it('contains the parts in order', () => {
    expect(signatureManifest({ dataId: '1', requestId: 'r', ts: '2' })).toBe('id:1;request-id:r;ts:2;');
  });

  it('leaves out what is absent', () => {
    expect(manifests({ ...base, requestId: undefined })).toEqual(['id:123;ts:1742505638;']);
    expect(manifests({ ...base, requestId: '' })).toEqual(['id:123;ts:1742505638;']);
    expect(manifests({ ...base, queryDataId: undefined })).toEqual(['request-id:req-1;ts:1742505638;']);
    expect(manifests({ ...base, queryDataId: undefined, requestId: undefined })).toEqual(['ts:1742505638;']);
  });

  it('uses the id of the query as sent and in lower case', () => {
    expect(manifests({ ...base, queryDataId: 'ORD1' })).toEqual([
      'id:ORD1;request-id:req-1;ts:1742505638;',
      'id:ord1;request-id:req-1;ts:1742505638;',
    ]);
  });

  it('uses the id of the body only when the query has none', () => {
    expect(manifests({ ...base, bodyDataId: '999' })).toEqual(['id:123;request-id:req-1;ts:1742505638;']);
    expect(manifests({ ...base, queryDataId: undefined, bodyDataId: '999' })).toEqual([
      'id:999;request-id:req-1;ts:1742505638;',
    ]);
    expect(manifests({ ...base, queryDataId: '', bodyDataId: 999 })).toEqual([
      'id:999;request-id:req-1;ts:1742505638;',
    ]);
  });

  it('never accepts a text without the id when there is one', () => {
    for (const ids of [{ queryDataId: '5' }, { queryDataId: undefined, bodyDataId: '5' }]) {
      expect(manifests({ ...base, ...ids })?.every((text) => text.startsWith('id:5;'))).toBe(true);
    }
  });

  it.each([
    ['an id with a separator', { queryDataId: '1;request-id:x' }],
    ['two ids', { queryDataId: ['1', '2'] }],
    ['a request id with a separator', { requestId: 'x;ts:1' }],
    ['a number that lost digits', { queryDataId: undefined, bodyDataId: 2 ** 53 }],
    ['a fraction', { queryDataId: undefined, bodyDataId: 1.5 }],
    ['an object', { queryDataId: undefined, bodyDataId: { $ne: 1 } }],
    ['a very long id', { queryDataId: '1'.repeat(129) }],
  ])('refuses %s', (_what, parts) => {
    expect(signatureQuestion({ ...base, ...parts })).toBeNull();
  });
});
