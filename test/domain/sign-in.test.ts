import { describe, expect, it } from 'vitest';
import { SignIn } from '../../lib/domain/sign-in.ts';
import { refusalsOf } from '../support/refusals.ts';

const settings = { clientId: 'console', authorizeEndpoint: '/authorize', tokenEndpoint: '/token' };

describe('how people sign in', () => {
  it('is a client and where it is let in, and what some issuers need besides', () => {
    expect(refusalsOf(SignIn, settings)).toEqual([]);
    const more = { endSessionEndpoint: '/logout', audience: 'api', scopePrefix: 'memories/' };
    expect(refusalsOf(SignIn, { ...settings, ...more })).toEqual([]);
    expect(refusalsOf(SignIn, { ...settings, clientId: '' })).toEqual([
      'clientId must be at least 1 characters',
    ]);
    expect(refusalsOf(SignIn, { ...settings, clientSecret: 's' })).toEqual([
      'clientSecret is not a known field',
    ]);
  });

  it.each(['https://id.example/oauth2/authorize?x=1', 'https://id.example', '/authorize', '/'])(
    'is over an encrypted address, or one of its own: %s',
    (endpoint) => {
      expect(refusalsOf(SignIn, { ...settings, tokenEndpoint: endpoint })).toEqual([]);
    },
  );

  it.each([
    'http://id.example/token',
    '//id.example/token',
    'https://',
    'id.example/token',
    ' https://id.example',
    'see https://id.example',
    "https://id.example'; script-src *",
    'https://id.example;x',
    'https://id.example,https://evil.example',
    '/token path',
    '/token"',
    'javascript:alert(1)',
    '',
  ])('is never over another address, nor over one that says more than an address: %j', (endpoint) => {
    for (const name of ['authorizeEndpoint', 'tokenEndpoint', 'endSessionEndpoint']) {
      expect(refusalsOf(SignIn, { ...settings, [name]: endpoint })).toEqual([
        `${name} must be an https address`,
      ]);
    }
  });
});
