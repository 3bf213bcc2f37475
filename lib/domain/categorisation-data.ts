/** How people say in one language that a merchant belongs to an account. Another language is another one of these. */
export interface CategorisationLanguage {
  /** Said before the sentence proper, and taken off. */
  readonly openings: readonly string[];
  /** Said after it, and taken off. */
  readonly closings: readonly string[];
  /** Verbs that only bookkeeping uses: what follows is a category whatever it is called. */
  readonly bookkeepingVerbs: readonly string[];
  /** Verbs that are used for other things too: what follows must be an account's kind of word. */
  readonly otherVerbs: readonly string[];
  /** Verbs that put a label on something. */
  readonly labelVerbs: readonly string[];
  /** "When you see Uber, book it to travel": what is before the merchant, and the word that stands for it after. */
  readonly sightings: readonly string[];
  readonly pronouns: readonly string[];
  /** "Consider Uber a travel expense": verbs that need no word between. */
  readonly deems: readonly string[];
  /** Between the merchant and the category, after those verbs. */
  readonly prepositions: readonly string[];
  /** "Comcast goes to internet". */
  readonly belongs: readonly string[];
  /** "Uber is personal". */
  readonly is: readonly string[];
  /** "use software for Vercel": the verb, and the word before the merchant. */
  readonly uses: readonly string[];
  readonly usedFor: readonly string[];
  /** "call VERCEL INC Vercel". */
  readonly calls: readonly string[];
  /** "rename VERCEL INC to Vercel": the verb, and the word before the new name. */
  readonly renames: readonly string[];
  readonly renamedTo: readonly string[];
  /** "VERCEL INC is called Vercel", which needs no verb before. */
  readonly isCalled: readonly string[];
  /** "show VERCEL INC as Vercel": only where both name one merchant. */
  readonly shows: readonly string[];
  readonly shownAs: readonly string[];
  /** "bills from Vercel": what is before the merchant. */
  readonly from: readonly string[];
  readonly determiners: readonly string[];
  /** Nouns for the papers and payments themselves: around a merchant they say nothing, alone they are none. */
  readonly documentNouns: readonly string[];
  /** Whom one has one of: with "my" before it, it is somebody. */
  readonly parties: readonly string[];
  /** Words that are no merchant, alone or in front. */
  readonly noMerchant: readonly string[];
  /** What a sentence is about when it is about how to answer, and no account's word. */
  readonly presentationWords: readonly string[];
  /** Words of accounts that say other things after "is". */
  readonly weakCategories: readonly string[];
  /** A category does not begin with one, and has none inside: "in charge of marketing". */
  readonly phrasePrepositions: readonly string[];
  /** After a category they say that a category is meant: "a travel expense". */
  readonly categoryNouns: readonly string[];
  /** A sentence with one of them says when, how much or the contrary, which a mapping cannot hold. */
  readonly conditions: readonly string[];
}

export const ENGLISH: CategorisationLanguage = {
  openings: [
    'please',
    'pls',
    'hey',
    'hi',
    'ok',
    'okay',
    'so',
    'also',
    'and',
    'always',
    'automatically',
    'from now on',
    'going forward',
    'in future',
    'in the future',
    'by default',
    'remember that',
    'remember to',
    'remember',
    'note that',
    'note',
    'make sure that you',
    'make sure you',
    'make sure to',
    'make sure',
    'be sure to',
    'can you',
    'could you',
    'would you',
    'will you',
    'you should',
    'you must',
    'you can',
    'i want you to',
    'i would like you to',
    "i'd like you to",
    'i need you to',
    'i want to',
    'i want',
    'i would like',
    "i'd like",
    'i would like to',
    "i'd like to",
    'i prefer to',
    'i prefer that you',
    'we prefer to',
    'prefer to',
    'we always',
    'i always',
    'we usually',
    'i usually',
    'we',
    'i',
    'just',
    'for us',
    'for me',
    "let's",
    'lets',
    'in our books',
    'in my books',
  ],
  closings: [
    'please',
    'pls',
    'always',
    'thanks',
    'thank you',
    'from now on',
    'going forward',
    'in future',
    'in the future',
    'by default',
    'automatically',
    'for me',
    'for us',
    'from here on',
    'every time',
    'each time',
    'too',
    'as well',
    'for now',
    'in our books',
    'in my books',
  ],
  bookkeepingVerbs: [
    'classify',
    'categorize',
    'categorise',
    'reclassify',
    'recategorize',
    'recategorise',
    'code',
    'expense',
    'allocate',
  ],
  otherVerbs: [
    'book',
    'post',
    'record',
    'file',
    'put',
    'treat',
    'log',
    'charge',
    'count',
    'mark',
    'map',
    'enter',
    'consider',
    'register',
    'bill',
    'track',
    'set',
    'sort',
    'group',
    'assign',
    'move',
  ],
  labelVerbs: ['tag', 'label', 'flag'],
  sightings: [
    'when you see',
    'whenever you see',
    'if you see',
    'every time you see',
    'each time you see',
    'when i get',
    'whenever i get',
    'when we get',
    'whenever we get',
    'when you get',
    'whenever you get',
    'when there is',
    'whenever there is',
  ],
  pronouns: ['it', 'them', 'that', 'this', 'those', 'these'],
  deems: ['consider', 'deem', 'make'],
  prepositions: [
    'as an',
    'as a',
    'as',
    'under',
    'to',
    'into',
    'in',
    'against',
    'with',
    'down as',
    'down to',
    'down under',
  ],
  belongs: [
    'goes to',
    'go to',
    'goes under',
    'go under',
    'goes in',
    'go in',
    'goes into',
    'go into',
    'goes on',
    'goes against',
    'belongs to',
    'belong to',
    'belongs in',
    'belong in',
    'belongs under',
    'belong under',
    'counts as',
    'count as',
    'falls under',
    'fall under',
    'maps to',
    'map to',
    'should go to',
    'should go under',
    'should go in',
    'should go into',
    'must go to',
    'must go under',
    'needs to go to',
    'needs to go under',
    'should be under',
    'should be in',
    'should be booked as',
    'should be booked to',
    'should be booked under',
    'should be classified as',
    'should be categorized as',
    'should be categorised as',
    'should be categorized under',
    'should be categorised under',
    'should be coded to',
    'should be coded as',
    'should be filed under',
    'should be posted to',
    'should be treated as',
    'should be recorded as',
    'should always be',
    'should be',
    'is booked as',
    'is booked to',
    'is booked under',
    'are booked as',
    'are booked to',
    'are booked under',
    'is classified as',
    'are classified as',
    'is categorized as',
    'is categorised as',
    'are categorized as',
    'are categorised as',
    'is coded to',
    'is coded as',
    'are coded to',
    'are coded as',
    'is filed under',
    'are filed under',
    'is under',
    'are under',
    'always goes to',
    'always go to',
    'always goes under',
    'always go under',
    'always goes in',
    'to go to',
    'to go under',
    'to be booked as',
    'to be booked to',
    'to be booked under',
    'to be filed under',
    'to be in',
    'to be under',
    'to go in',
    'to go into',
    'to be classified as',
    'to be categorized as',
    'to be categorised as',
    'to be',
  ],
  is: ['is always', 'are always', 'is', 'are'],
  uses: ['use', 'choose', 'pick', 'select', 'apply'],
  usedFor: ['for', 'with', 'on'],
  calls: ['call', 'name'],
  renames: ['rename', 'alias', 'normalize', 'normalise', 'change'],
  renamedTo: ['to', 'as', 'into'],
  isCalled: [
    'is called',
    'should be called',
    'is really',
    'is actually',
    'is the same as',
    'is also known as',
    'is aka',
    'means',
  ],
  shows: ['show', 'display', 'write', 'treat', 'read', 'list', 'record', 'save', 'enter', 'print'],
  shownAs: ['as'],
  from: ['from', 'for', 'by', 'at', 'of', 'with'],
  determiners: [
    'all of',
    'all',
    'every',
    'each',
    'any',
    'my',
    'our',
    'the',
    'a',
    'an',
    'most',
    'new',
    'future',
  ],
  documentNouns: [
    'bill',
    'bills',
    'invoice',
    'invoices',
    'receipt',
    'receipts',
    'charge',
    'charges',
    'payment',
    'payments',
    'purchase',
    'purchases',
    'expense',
    'expenses',
    'cost',
    'costs',
    'transaction',
    'transactions',
    'fee',
    'fees',
    'order',
    'orders',
    'subscription',
    'subscriptions',
    'spend',
    'spending',
    'ride',
    'rides',
    'trip',
    'trips',
    'stay',
    'stays',
    'document',
    'documents',
    'statement',
    'statements',
    'anything',
    'everything',
    'stuff',
    'things',
    'category',
    'account',
    'item',
    'items',
  ],
  parties: [
    'accountant',
    'bookkeeper',
    'lawyer',
    'attorney',
    'solicitor',
    'landlord',
    'cleaner',
    'plumber',
    'electrician',
    'gardener',
    'dentist',
    'doctor',
    'consultant',
    'contractor',
    'freelancer',
    'printer',
  ],
  noMerchant: [
    ...'it this that these those them they he she we us me you i him her myself yourself one ones something someone everyone nothing who what'.split(
      ' ',
    ),
    ...`total totals subtotal subtotals amount amounts date dates number numbers name names currency currencies language tone style format
    answer answers reply replies response responses message messages email emails mail mails report reports summary summaries table tables
    list lists chart charts column columns row rows field fields page pages file files folder folders attachment attachments pdf pdfs
    meeting meetings call calls reminder reminders appointment appointments task tasks note notes question questions request requests
    approval approvals preview previews draft drafts original originals result results detail details update updates notification
    notifications priority default time timezone day days week weeks month months year years today tomorrow vat tax taxes gst price prices
    discount discounts rounding decimal decimals negative negatives positive refund refunds credit credits customer customers client clients
    supplier suppliers vendor vendors merchant merchants employee employees manager boss team user users account accounts category categories
    everything anything brevity speed quality accuracy safety privacy money work business life people company office home name title
    header heading section text font color colour image images photo photos scan scans document documents workspace project projects
    department departments data information info output input instruction instructions rule rules step steps memory memories mapping
    mappings label labels tag tags here there now then later first last next unknown other others deadline deadlines slack-channel inbox
    unpaid paid overdue approved pending foreign domestic monthly weekly annual scanned large small big urgent important duplicate
    duplicates internal external local due english german french spanish industry industries sector sectors branch field niche market
    markets focus topic topics subject subjects theme interest interests hobby hobbies role roles job jobs profession product products
    service services sales finance operations engineering goal goals purpose scope city country region location audience fyi todo ps nb tip hint warning example keywords`
      .split(/\s+/)
      .filter((word) => word !== ''),
  ],
  presentationWords: [
    ...`table tables list lists bullet bullets pdf csv excel json html markdown chart charts graph graphs column columns row rows bold italic
    top bottom front back end beginning first last early late soon possible expert beginner novice adult child friend native
    english german french spanish italian japanese chinese eur usd gbp euro euros dollars cents net gross iso
    urgent important read unread done paid unpaid draft drafts final approved rejected pending duplicate duplicates overdue favourite favorite
    spam soon quickly briefly text words number numbers string date dates alphabetical chronological descending ascending order
    slack teams email mail inbox folder drive dropbox notion xero quickbooks sap datev calendar manager boss team me us you
    attachment attachments link links image images screenshot preview summary report priority default required optional
    formal informal casual polite friendly short brief concise detailed long plain simple correct wrong right true false good bad best ok okay fine`
      .split(/\s+/)
      .filter((word) => word !== ''),
  ],
  weakCategories: [
    ...'fine present air stay pay power course guard professional legal general medical mobile coach host event tool plane cell handy print copy paper post application event don vol lon bil stop trip journey doctor accountant lawyer attorney solicitor contractor consultant adviser advisor freelancer subcontractor bookkeeper health security'.split(
      ' ',
    ),
  ],
  phrasePrepositions: 'in for of on to at with by about from near'.split(' '),
  categoryNouns: ['expense', 'expenses', 'cost', 'costs', 'account', 'category', 'spend', 'spending'],
  conditions: [
    ..."not never no unless if when whenever while before after until except but only sometimes maybe instead otherwise because over above below under-the without than first don't dont doesn't doesnt isn't isnt aren't arent won't wont cannot can't".split(
      ' ',
    ),
  ],
};

export const LANGUAGES: readonly CategorisationLanguage[] = [ENGLISH];
