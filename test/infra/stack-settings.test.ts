import { describe, expect, it } from 'vitest';
import { settingsFrom } from '../../infra/stack-settings.ts';

const from = (context: Record<string, unknown>) => settingsFrom((key) => context[key]);
const needed = { jwtIssuer: 'https://issuer.test/', jwtAudience: 'api' };

describe('the settings of a stage', () => {
  it('are only what is given, so that the constructs’ defaults stand', () => {
    expect(from(needed)).toEqual({ jwtIssuer: 'https://issuer.test/', jwtAudience: ['api'] });
  });

  it('may all be given on the command line, where every value is text', () => {
    expect(
      from({
        ...needed,
        jwtAudience: 'a, b',
        archiveDays: '7',
        namePrefix: 'staging-',
        allowedOrigins: 'https://x',
      }),
    ).toMatchObject({
      jwtAudience: ['a', 'b'],
      archiveDays: 7,
      namePrefix: 'staging-',
      allowedOrigins: ['https://x'],
    });
  });

  it.each([
    [{}, /jwtIssuer.*missing/],
    [{ jwtIssuer: 'https://issuer.test/' }, /jwtAudience.*missing/],
    [{ ...needed, archiveDays: 'many' }, /archiveDays.*whole number/],
    [{ ...needed, namePrefix: 3 }, /namePrefix.*string/],
  ])('refuse %j', (context, reason) => {
    expect(() => from(context)).toThrow(reason);
  });
});
