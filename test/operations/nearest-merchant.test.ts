import { describe, expect, it } from 'vitest';
import { nearestMerchant } from '../../lib/operations/nearest-merchant.ts';

describe('nearestMerchant', () => {
  it.each([
    ['a slip', 'UNIHAKKA INTERANTIONAL SDN BHD', 'Unihakka International'],
    ['a missing letter', 'RSTAURANT WAN SHENG', 'Rstaurant Wan Shengg'],
    ['a field that was cut', 'costa coffe', 'Costa Coffee'],
    ['a longer form', 'Starbucks Coffee', 'Starbucks'],
    ['a branch', 'POUNDSTRETCHER ACOCKS', 'Poundstretcher'],
    ['other word order', 'DUPONT BOULANGERIE PARIS', 'Boulangerie Dupont Paris'],
  ])('names a known merchant that the new one is %s of', (_why, printed, known) => {
    expect(nearestMerchant(printed, ['Verizon', known, 'Zara'])).toBe(known);
  });

  it.each([
    ['Vercel', 'Verizon'],
    ['Apple', "Applebee's Neighborhood Grill and Bar"],
    ['Notion', 'Motion'],
    ['KFC', 'KFD'],
    ['Delta Dental', 'Delta Air Lines'],
    ['山田', '山本'],
  ])('does not name %s for %s', (printed, known) => {
    expect(nearestMerchant(printed, [known])).toBeUndefined();
  });

  it('names the closest, whatever the order', () => {
    const known = ['costa coffeehouse', 'costa coffee', 'costa'];
    expect(nearestMerchant('costa coffe', known)).toBe('costa coffee');
    expect(nearestMerchant('costa coffe', [...known].reverse())).toBe('costa coffee');
  });

  it('takes keys as well as names', () => {
    expect(nearestMerchant('starbuckscoffee', ['starbucks'])).toBe('starbucks');
  });

  it('names nobody for the same merchant, for nothing, or among nobody', () => {
    expect(nearestMerchant('Vercel Inc.', ['VERCEL'])).toBeUndefined();
    expect(nearestMerchant('POS DEBIT', ['Pos Debut'])).toBeUndefined();
    expect(nearestMerchant('Vercel', [])).toBeUndefined();
  });
});
