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

describe('a stage of cdk.json', () => {
  const stages = { test: { namePrefix: 'test-', logDays: 7, reservedConcurrency: { retrieve: 5 } } };

  it('says what differs from all others', () => {
    const settings = from({ ...needed, logDays: 90, archiveDays: 3, stages, stage: 'test' });
    expect(settings).toMatchObject({
      namePrefix: 'test-',
      logDays: 7,
      archiveDays: 3,
      reservedConcurrency: { retrieve: 5 },
    });
    expect(from({ ...needed, logDays: 90, stages })).not.toHaveProperty('namePrefix');
  });

  it('must be there', () => {
    expect(() => from({ ...needed, stages, stage: 'toString' })).toThrow(/no stage 'toString'/);
  });

  it.each([
    ['correctionDays', '365', /730 or more/],
    ['producers', 'me', /neither an account id nor/],
    ['hintInvokers', 'arn:aws:iam::1:role/x', /neither an account id nor/],
    ['reservedConcurrency', 'other=1', /retrieve=50/],
    ['reservedConcurrency', 'retrieve=many', /retrieve=50/],
    ['orgFence', 'yes', /true or false/],
  ])('is refused where %s is %j', (key, value, message) => {
    expect(() => from({ ...needed, [key]: value })).toThrow(message);
  });

  it('takes from the command line what it takes from the file', () => {
    const given = { reservedConcurrency: 'retrieve=5, promote=12', customerManagedKey: 'true' };
    expect(from({ ...needed, ...given })).toMatchObject({
      reservedConcurrency: { retrieve: 5, promote: 12 },
      customerManagedKey: true,
    });
  });
});
