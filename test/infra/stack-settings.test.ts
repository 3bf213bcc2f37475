import { describe, expect, it } from 'vitest';
import { settingsFrom, signInOf } from '../../infra/stack-settings.ts';

const from = (context: Record<string, unknown>) => settingsFrom((key) => context[key]);
const needed = {
  jwtIssuer: 'https://issuer.test/',
  jwtAudience: 'api',
  consoleClientId: 'console',
  authorizeEndpoint: 'https://issuer.test/authorize',
  tokenEndpoint: 'https://issuer.test/token',
};

describe('how people sign in', () => {
  it('is the console’s client at the issuer, for the API’s first audience', () => {
    expect(signInOf(from({ ...needed, jwtAudience: 'a, b' }))).toEqual({
      clientId: 'console',
      authorizeEndpoint: 'https://issuer.test/authorize',
      tokenEndpoint: 'https://issuer.test/token',
      audience: 'a',
    });
  });

  it.each(['http://issuer.test/token', '//issuer.test/token', "https://a'; script-src *", 'token'])(
    'is refused where an endpoint is %j, which is not https or would change the page’s policy',
    (tokenEndpoint) => {
      expect(() => signInOf(from({ ...needed, tokenEndpoint }))).toThrow(/https address/);
    },
  );
});

describe('the settings of a stage', () => {
  it('are only what is given, so that the constructs’ defaults stand', () => {
    expect(from(needed)).toEqual({ ...needed, jwtAudience: ['api'] });
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
    [{ ...needed, tokenEndpoint: undefined }, /tokenEndpoint.*missing/],
    [{ ...needed, archiveDays: 'many' }, /archiveDays.*whole number/],
    [{ ...needed, namePrefix: 3 }, /namePrefix.*string/],
  ])('refuse %j', (context, reason) => {
    expect(() => from(context)).toThrow(reason);
  });
});
