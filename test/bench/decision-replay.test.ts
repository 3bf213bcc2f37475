import { describe, expect, it } from 'vitest';
import { OrgId } from '../../lib/domain/ids.ts';
import {
  categoryVote,
  lastValue,
  meanGap,
  ours,
  type Row,
  replayRows,
  voteCaster,
} from './decision-replay.ts';

const DAY = 24 * 3_600_000;

/** One row a day and account; a `-` before it makes it a refund. */
function rowsOf(accounts: readonly string[], descriptor = 'corner cafe 12'): Row[] {
  return accounts.map((account, index) => ({
    at: (index + 1) * DAY,
    org: OrgId.parse('org_a'),
    descriptor,
    refund: account.startsWith('-'),
    account: account.replace('-', ''),
  }));
}

describe('a replay of decisions', () => {
  it('covers a decision that something stood for, and counts it right where it is what was decided', () => {
    const { score } = replayRows(rowsOf(['a', 'a', 'a', 'a', 'b', 'a']), ours('ours'));
    // The third makes it stand; the fourth is right, the fifth wrong, and then nothing stands.
    expect(score).toEqual({ name: 'ours', coverage: 2 / 6, precision: 1 / 2, contradicted: 0 });
  });

  it('counts a value that begins to stand and is not what comes next as contradicted', () => {
    const { score } = replayRows(rowsOf(['a', 'b', 'b']), lastValue());
    expect(score).toMatchObject({ coverage: 2 / 3, precision: 1 / 2, contradicted: 1 / 2 });
  });

  it('learns nothing from a refund', () => {
    expect(replayRows(rowsOf(['a', 'a', '-a', 'a']), ours('ours')).score.coverage).toBe(0);
    expect(replayRows(rowsOf(['a', 'a', 'a', '-a']), ours('ours')).score.coverage).toBe(1 / 4);
  });

  it('keeps workspaces apart', () => {
    const rows = rowsOf(['a', 'a', 'a', 'a']).map((row, index) => ({
      ...row,
      org: OrgId.parse(index === 3 ? 'org_b' : 'org_a'),
    }));
    expect(replayRows(rows, ours('ours')).score.coverage).toBe(0);
  });

  it('measures how far what is stated lies from what is true', () => {
    expect(
      meanGap([
        { decisions: 3, stated: 0.5, true: 0.6 },
        { decisions: 1, stated: 0.9, true: 0.5 },
      ]),
    ).toBeCloseTo((3 * 0.1 + 0.4) / 4);
  });

  it('casts the votes that castVotes casts', () => {
    const cast = voteCaster();
    const rows = [
      'corner cafe 12',
      'amazon uk retail',
      'paypal *skype',
      'cash advance fee',
      '',
      'www.argos.co.uk',
    ].flatMap((descriptor) => rowsOf(['a', '-a', 'b'], descriptor));
    for (const row of rows) {
      for (const confirms of [false, true]) expect(cast(row, confirms)).toEqual(categoryVote(row, confirms));
    }
  });
});
