import { describe, expect, it } from 'vitest';
import { recogniseFeedback } from '../../lib/domain/feedback.ts';

describe('feedback on a rejection', () => {
  it.each([
    'show me a preview first',
    'please show me a preview first',
    'preview pls before you send',
    'Preview first please!',
    'preview first',
    'preview please',
    'Can I see a preview?',
    'I want a preview.',
    'I would like to see a preview before this goes out',
    'always show a preview',
    'we need a preview before posting to xero',
    'pls send me a draft first',
    'A PREVIEW FIRST, PLEASE',
    'show me a preveiw first',
    'previw please',
    'prebiew please',
    'pleaes a preview',
    'a preview befor posting',
    'do not post this without a pre-view',
    'pre-view first pls',
    'pre view first',
    'do a dry-run first',
    "don't send anything without a preview",
    'never post to Xero before showing me a preview',
    'Hi! Thanks for this, looks good so far, but could you show me a preview first next time? Cheers',
    'not yet. show me first',
    'let me see it before you send it',
    'I want to see it before it is sent',
    "I'd prefer to preview it first",
    'show preview before sending',
    'lemme look at it first',
    'show me what you are sending first',
    'Wrong amount. And please, a preview first',
    'ｐｒｅｖｉｅｗ please',
  ])('wishes for a preview: %s', (said) => {
    expect(recogniseFeedback(said)).toBe('preview_first');
  });

  it.each([
    'I want to see the original',
    'show me the original receipt',
    'show the original first',
    'let me see the original first',
    'I would like to see the original before you send it',
    'original please',
    'pls show orginal',
    'can i see the origional document?',
    'orifinal please',
    'show me the original docuemnt',
    'show me the original reciept',
    'I need the original invoice next to it',
    'Please attach the original.',
    'let me compare with the original pdf',
    'I have to see the source document before I approve',
    'show me the actual receipt',
    'scan first please',
    "don't send it without the original",
  ])('wishes for the original: %s', (said) => {
    expect(recogniseFeedback(said)).toBe('show_original_first');
  });

  it.each([
    'ask me first',
    'please ask before sending',
    'Ask me before you send anything to Xero!',
    'always ask',
    'check with me first',
    'you should confirm with me before sending',
    'wait for my ok',
    'I need to give an ok: get my approval first',
    "don't send without asking",
    'do not send before I say so',
    "Don't post anything until I've said yes, ask me first",
    'never send this without my approval',
    'I want to approve it before you send',
    'run it by me next time',
  ])('wishes to be asked: %s', (said) => {
    expect(recogniseFeedback(said)).toBe('ask_before_sending');
  });

  it.each([
    'one at a time please',
    'one by one',
    '1 by 1 pls',
    'Please do these one after another',
    'send them separately',
    'process each invoice individually',
    'not all at once',
    "don't send them in bulk",
    'please do not send them all together',
  ])('wishes for one at a time: %s', (said) => {
    expect(recogniseFeedback(said)).toBe('one_at_a_time');
  });

  it.each([
    // What is refused.
    'no preview needed',
    'no need for a preview',
    "I don't need a preview",
    'dont show me a preview',
    'please skip the preview',
    'stop showing me previews first',
    'preview is not necessary',
    'enough with the previews first',
    "you don't have to ask me first",
    'no need to ask before sending',
    'why do you ask me first?',
    'stop asking me before sending',
    'I do not want to see the original',
    'without the original please',
    'not one by one',
    'never one at a time',
    'do it instead of a preview first',
    // What is only mentioned.
    'the original amount was 30',
    'please use the original currency',
    'original price please',
    'I see the preview is wrong',
    'the preview was fine',
    'the preview shows the wrong total',
    'scan quality is bad',
    'the invoice was sent before the order',
    'please fix the date before you send',
    'these were bought separately',
    'first time we see this vendor',
    'ask Anna',
    'the draft was sent to the wrong client',
    'review first',
    'I would like a review',
    'show me the overview please',
    'I want the prefix',
    'the originator please',
    // Something else, and nothing.
    'wrong amount',
    'wrong account, should be 6120',
    'no',
    'nope.',
    'not now',
    'later',
    'duplicate of last week',
    'looks wrong to me',
    'please send to Dext instead',
    '👎',
    '???',
    '',
  ])('wishes for nothing that is sure: %s', (said) => {
    expect(recogniseFeedback(said)).toBeUndefined();
  });

  it('takes the first of several wishes', () => {
    expect(recogniseFeedback('I want to see the original first, not a preview')).toBe('show_original_first');
    expect(recogniseFeedback('no preview needed, but ask me first')).toBe('ask_before_sending');
  });

  it('takes two thousand characters of anything without getting slow', () => {
    const started = performance.now();
    for (const said of [
      'show '.repeat(400),
      'dont send '.repeat(200),
      'preview'.repeat(285),
      'ask me '.repeat(285),
    ])
      recogniseFeedback(said);
    expect(performance.now() - started).toBeLessThan(200);
  });
});
