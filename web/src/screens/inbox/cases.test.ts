import { describe, expect, it } from '@jest/globals';
import type { InboxItem } from '../../api/client.ts';
import {
  type Case,
  caseAfter,
  casesOf,
  follow,
  NOTHING_SEEN,
  neighbour,
  personsOf,
  showFresh,
  withoutDecided,
} from './cases.ts';

const item = (id: string, reason: InboxItem['reason'] = 'human', since = '2026-11-20T12:00:00.000Z'): InboxItem => ({
  debt: { id } as InboxItem['debt'],
  reason,
  since,
  lastMessage: null,
  snoozedUntil: null,
  sandbox: true,
  viewing: [],
  personKey: `person of ${id[0]}`,
});
const answer = (ids: readonly string[], pages = 1, filter = 'open') => ({
  filter,
  pages,
  fresh: casesOf(ids.map((id) => item(id))),
});
const ids = (cases: readonly Case[]) => cases.map(({ id, solved }) => (solved ? `${id}*` : id));

describe('the queue', () => {
  it('shows a debt that waits for two reasons once, since the first of them', () => {
    const [only, ...others] = casesOf([item('a', 'disputed', '2026-11-21'), item('a', 'human', '2026-11-20')]);
    expect(others).toEqual([]);
    expect(only).toMatchObject({ since: '2026-11-20', reasons: [{ reason: 'disputed' }, { reason: 'human' }] });
  });

  it('keeps the cases of a person together at the place of the first', () => {
    const cases = casesOf(['b1', 'a1', 'b2', 'c1', 'a2'].map((id) => item(id)));
    expect(personsOf(cases).map((group) => ids(group))).toEqual([['b1', 'b2'], ['a1', 'a2'], ['c1']]);
  });

  it('counts what is new instead of moving what is read, until the person asks', () => {
    const first = follow(NOTHING_SEEN, answer(['b', 'c']));
    const later = follow(first, answer(['a', 'b', 'd', 'c']));
    expect(ids(later.cases)).toEqual(['b', 'c']);
    expect(later.added).toBe(2);
    expect(ids(showFresh(later).cases)).toEqual(['a', 'b', 'd', 'c']);
  });

  it('marks what waits no longer in its place', () => {
    const later = follow(follow(NOTHING_SEEN, answer(['a', 'b'])), answer(['b']));
    expect(ids(later.cases)).toEqual(['a*', 'b']);
    expect(ids(follow(later, answer(['a', 'b'])).cases)).toEqual(['a', 'b']);
  });

  it('begins anew for another filter, and when nothing of it waits any more', () => {
    const first = follow(NOTHING_SEEN, answer(['a']));
    expect(ids(follow(first, answer(['c'], 1, 'snoozed')).cases)).toEqual(['c']);
    expect(ids(follow(first, answer(['b'])).cases)).toEqual(['a*']);
    expect(ids(follow(follow(first, answer(['b'])), answer(['b'])).cases)).toEqual(['b']);
  });

  it('adds a page that was asked for at the end', () => {
    const first = follow(NOTHING_SEEN, answer(['a', 'b']));
    expect(ids(follow(first, answer(['x', 'a', 'b', 'c'], 2)).cases)).toEqual(['a', 'b', 'x', 'c']);
  });

  it('drops a decided case unless it still waits for something else', () => {
    const seen = follow(follow(NOTHING_SEEN, answer(['a', 'b', 'c'])), answer(['b', 'c']));
    expect(ids(withoutDecided(seen, new Set(['a', 'b'])).cases)).toEqual(['b', 'c']);
    const others = follow(follow(NOTHING_SEEN, answer(['a', 'b'])), answer(['d']));
    expect(ids(withoutDecided(others, new Set(['a'])).cases)).toEqual(['d']);
  });

  it('goes on to the next case that waits', () => {
    const { cases, fresh } = follow(follow(NOTHING_SEEN, answer(['a', 'b', 'c'])), answer(['a', 'c', 'd']));
    expect(caseAfter(cases, fresh, 'a')?.id).toBe('c');
    expect(caseAfter(cases, fresh, 'c')?.id).toBe('a');
    expect(caseAfter(cases.slice(0, 1), fresh.slice(2), 'a')?.id).toBe('d');
    expect(caseAfter(cases, fresh.slice(0, 1), 'a')).toBeUndefined();
    expect(neighbour(cases, 'a', 1)?.id).toBe('b');
    expect(neighbour(cases, 'a', -1)?.id).toBe('a');
    expect(neighbour(cases, undefined, 1)?.id).toBe('a');
  });
});
