import * as z from 'zod/mini';

const IDENTIFIER = /^[A-Za-z0-9._:@-]{1,128}$/;
const identifier = () =>
  z.lazy(() =>
    z
      .string()
      .check(z.regex(IDENTIFIER, { error: 'must be 1 to 128 of the characters A-Z a-z 0-9 . _ : @ -' })),
  );

/** The workspace; the tenant boundary. */
export const OrgId = identifier().brand<'OrgId'>();
export type OrgId = z.infer<typeof OrgId>;

export const UserId = identifier().brand<'UserId'>();
export type UserId = z.infer<typeof UserId>;

export const DocumentId = identifier().brand<'DocumentId'>();
export type DocumentId = z.infer<typeof DocumentId>;

export const EventId = identifier().brand<'EventId'>();
export type EventId = z.infer<typeof EventId>;

/** Opaque to callers; made and read by `dedup-key.ts` alone. */
export const MemoryId = z
  .lazy(() => z.string().check(z.regex(/^[A-Za-z0-9_-]{1,512}$/, { error: 'must be a memory id' })))
  .brand<'MemoryId'>();
export type MemoryId = z.infer<typeof MemoryId>;

/** The stable name of (scope, kind, subject) within an org. */
export const DedupKey = z.lazy(() => z.string().check(z.minLength(1), z.maxLength(512))).brand<'DedupKey'>();
export type DedupKey = z.infer<typeof DedupKey>;

/** A merchant's identity; made by `merchant-key.ts` alone, where it is also said what it folds. */
export type MerchantKey = string & z.core.$brand<'MerchantKey'>;

/** Milliseconds since the epoch, UTC. */
export type Millis = number;
