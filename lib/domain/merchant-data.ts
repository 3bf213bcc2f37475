/** What the steps of `merchant-steps.ts` look words up in. Everything is folded: lower case, no accents, no apostrophes. */

/**
 * Phrases that a bank writes before the shop. Several words, or one that no shop is called: "card" alone is not here,
 * because Card Factory is a shop.
 */
export const BANK_LEAD_INS: readonly string[] = [
  // English
  'automatic payment to',
  'bill payment to',
  'card payment at',
  'card payment to',
  'card payment',
  'card purchase at',
  'card purchase',
  'card transaction',
  'check card purchase',
  'check card',
  'checkcard purchase',
  'checkcard',
  'chip purchase',
  'contactless payment',
  'contactless',
  'credit card purchase',
  'debit card payment to',
  'debit card payment',
  'debit card purchase at',
  'debit card purchase',
  'debit card transaction',
  'debit card withdrawal',
  'debit card',
  'debit purchase',
  'direct debit payment to',
  'direct debit to',
  'direct debit',
  'eftpos debit',
  'eftpos purchase',
  'eftpos',
  'faster payment to',
  'foreign card purchase',
  'interac purchase',
  'interac retail purchase',
  'international purchase',
  'online card purchase',
  'online purchase',
  'payment to',
  'pin purchase',
  'point of sale debit',
  'point of sale purchase',
  'point of sale withdrawal',
  'point of sale',
  'pos adjustment',
  'pos debit visa',
  'pos debit',
  'pos payment',
  'pos purchase',
  'pos refund',
  'pos transaction',
  'pos withdrawal',
  'pos',
  'preauthorized debit',
  'pre authorized debit',
  'purchase authorized on',
  'purchase return authorized on',
  'recurring card payment',
  'recurring card purchase',
  'recurring debit card',
  'recurring payment authorized on',
  'recurring payment',
  'retail purchase',
  'signature purchase',
  'standing order to',
  'tap purchase',
  'visa check card',
  'visa checkcard',
  'visa debit card purchase',
  'visa debit purchase',
  'visa debit retail purchase',
  'visa debit',
  'visa direct',
  'visa purchase',
  'withdrawal debit card',
  'withdrawal pos',
  'mastercard debit',
  'mastercard purchase',
  'interac e-transfer to',
  'ach debit',
  'ach withdrawal',
  'upi payment to',
  'upi',
  // French
  'achat carte',
  'achat cb',
  'achat par carte',
  'carte bancaire',
  'facture carte',
  'paiement carte',
  'paiement cb',
  'paiement par carte',
  'paiement psc',
  'paiement sans contact',
  'prelevement sepa',
  'prelevement de',
  'prelevement',
  'prlv sepa',
  'prlv',
  'virement sepa',
  'virement',
  'vir sepa',
  // Spanish, Portuguese, Italian
  'cargo por compra en',
  'compra con tarjeta en',
  'compra con tarjeta',
  'compra en comercio',
  'compra en',
  'compra tarj',
  'compra tarjeta',
  'compra internet',
  'pago con tarjeta en',
  'pago con tarjeta',
  'pago en',
  'pago movil en',
  'recibo de',
  'compra com cartao',
  'compra cartao',
  'compra no debito',
  'compra a debito',
  'compra',
  'pagamento com cartao',
  'pagamento a',
  'pagamento pos',
  'pagamento con carta',
  'pagamento carta',
  'pagamento tramite pos',
  'pagobancomat',
  'pix enviado',
  'pix recebido',
  'pagamento su pos',
  'acquisto pos',
  'acquisto presso',
  'addebito diretto',
  'addebito sdd',
  'debito automatico',
  // German, Dutch
  'kartenzahlung',
  'girocard',
  'ec kartenzahlung',
  'ec karte',
  'elv',
  'lastschrift',
  'sepa lastschrift',
  'sepa lastschrifteinzug',
  'sepa basislastschrift',
  'basislastschrift',
  'dauerauftrag',
  'einkauf',
  'visa einkauf',
  'kauf dienstleistung',
  'debitkartenzahlung',
  'kreditkartenzahlung',
  'betaalautomaat',
  'betaalpas',
  'bea betaalpas',
  'bea nr',
  'bea apple pay',
  'bea google pay',
  'bea',
  'pinbetaling',
  'betaling met bankkaart bij',
  'betaling',
  'aankoop bancontact',
  'aankoop',
  'sepa incasso algemeen doorlopend',
  'sepa incasso',
  'incasso',
  'ideal betaling',
  // Nordic
  'dankort nota',
  'dk nota',
  'dankort kob',
  'visa dankort',
  'visa vare',
  'varekjop',
  'varekop',
  'kortkob',
  'kortkop',
  'korttiosto',
  'korttimaksu',
  'kortbetaling',
  'kortbetalning',
  'kontaktlos',
  'autogiro',
  // Central and eastern Europe, Turkey
  'transakcja karta',
  'platnosc karta',
  'zakup przy uzyciu karty',
  'zakup karta',
  'platba kartou',
  'nakup kartou',
  'platba karta',
  'kartyas vasarlas',
  'vasarlas',
  'cumparare pos',
  'plata pos',
  'plata card',
  'placanje karticom',
  'harcama',
  'pos alisveris',
  'оплата товаров и услуг',
  'оплата картой',
  'оплата',
  'покупка по карте',
  'покупка',
  'αγορα',
  // Asia
  'デビット',
  'カード利用',
  'ご利用',
  '消费',
  '消費',
  '체크카드',
  'pembayaran',
  'pembelian',
];

/** Lead-ins that are one only when a date, a mask or a long number follows: CB2 and Visa Travel are names. */
export const DATED_LEAD_INS: readonly string[] = [
  'cb',
  'carte',
  'card',
  'purchase',
  'payment',
  'tarjeta',
  'karte',
  'kort',
  'visa',
  'mastercard',
  'amex',
  'debit',
  'pin',
  'cheque card',
  'kartenumsatz',
  'nota',
  'ach',
  'interac',
];

/** Where what the bank adds begins; all from there on is not the shop. Regular expressions. */
export const BANK_TAILS: readonly string[] = [
  String.raw`,? *con la tarjeta\b`,
  String.raw`,? *com o cartao\b`,
  String.raw`,? *con carta\b`,
  String.raw`\bcard[ #:]*(?:no\.? *|ending(?: in)? *)?[x*\d]{3,}`,
  String.raw`\bcarte[ :]+[x*\d]{4,}`,
  String.raw`\bkarte[ :]+[x*\d]{4,}`,
  String.raw`,? *\btarjeta[ :]+[x*\d]{4,}`,
  String.raw`\bcb ?\*+ ?\d{2,}`,
  String.raw`\btran(?:saction)? date`,
  String.raw`\bdate +/?\d`,
  String.raw`\bvalue date\b`,
  String.raw`\bdebit card purchase\b`,
  'debit card purchase$',
  String.raw`\bkaartnummer\b`,
  String.raw`\bpasvolgnr\b`,
  String.raw`\b(?:web|ppd|ccd|co|indn|arc|tel) ?id:`,
  String.raw`\bdes:`,
  String.raw`\bindn:`,
  String.raw`\bvisa direct\b`,
  String.raw`\bmandat(?:e|sref)?[ :]`,
  String.raw`\bend-to-end\b`,
  String.raw`\b(?:ref|reference|auth(?:orisation|orization)?(?: code)?|txn|trx|transaktion|kenmerk|omschrijving|terminal|term id|tid)[ :.#]+(?=[\p{L}-]*\d)`,
  String.raw`\bauf +raten\b`,
];

/**
 * Words a bank writes. A string of nothing else names no merchant. A shop can be called by one of them beside others
 * (Card Factory, Cash Converters), so they are only ever counted together.
 */
export const BANK_WORDS: ReadonlySet<string> = new Set(
  `pos debit credit card cards checkcard cheque purchase purchases payment payments pymt pymts pmt pmts paymentret
  withdrawal withdrawl deposit dep transfer xfer trf transaction transactions txn trx atm cash interest charge charged
  charges fee fees refund reversal adjustment eftpos ach sepa interac autopay bill billpay upi imps neft rtgs dispute
  overdraft statement balance
  achat carte cb paiement prelevement prlv virement retrait compra pago tarjeta recibo cargo transferencia comision
  retiro pagamento addebito bonifico acquisto prelievo cartao saque
  lastschrift basislastschrift kartenzahlung uberweisung gutschrift dauerauftrag girocard entgelt zinsen abhebung
  betaling betaalautomaat incasso overboeking geldautomaat kortkob kortkop overforing uttak uttag autogiro korttiosto
  platba przelew wyplata transakcja karta karty harcama
  оплата покупка перевод снятие 振込 振替 手数料 利息 引落 消费 消費 转账 轉帳 手续费`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** What a bank writes whole, of words that shops have in their names too: Check Point, Savings Bookshop. */
export const BANK_PHRASES: ReadonlySet<string> = new Set([
  'check',
  'checks',
  'standing order',
  'bank transfer',
  'bank fee',
  'bank fees',
  'bank charge',
  'bank charges',
  'fx fee',
  'foreign exchange fee',
  'online transfer to savings',
  'online transfer to checking',
  'transfer to savings',
  'transfer to checking',
  'transfer from savings',
  'transfer from checking',
  'bpay',
  'bpay payment',
  'imps p2a',
  'imps p2p',
  'retrait dab',
  'retrait gab',
  'prelievo bancomat',
  'pagobancomat',
  'pix',
  'pix enviado',
  'pix recebido',
  'zahlung',
  'zahlungseingang',
  'bargeldauszahlung',
  'betaalverzoek',
  'закупка',
  'カード支払い',
  '口座振替',
  '刷卡消费',
]);

/** Words between those of a bank, which say nothing by themselves. */
export const BANK_FILLERS: ReadonlySet<string> = new Set(
  `check advance direct visa mastercard maestro amex contactless recurring automatic auto online preauthorized authorized
  authorised auth on at to from the of for thank you thanks ref reference disputed swift wire inst ext int account acct
  standing order point sale pay out outgoing incoming giro pin chip tap web id ppd ccd no nr number date value foreign late annual monthly service
  minimum due received rec sent pending hold your
  frais du le de la par con en saldo einkauf bargeld kort наличных`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** Wallets and processors printed before the shop, told by the star or colon that follows; elsewhere most are words or brands. */
export const STARRED_PROCESSORS: readonly string[] = [
  'sq',
  'gosq',
  'square',
  'square inc',
  'tst',
  'toast',
  'pp',
  'paypal',
  'paypal inst xfer',
  'stripe',
  'stripe inc',
  'str',
  'sp',
  'shop pay',
  'sumup',
  'sum up',
  'zettle',
  'izettle',
  'iz',
  'klarna',
  'clover',
  'clv',
  'cke',
  'eb',
  'evb',
  'fs',
  'gum',
  'in',
  'ic',
  'int',
  'ps',
  'py',
  'pay',
  'paddle.net',
  'paddle',
  'pdl',
  'pt',
  'bt',
  'bc',
  'cko',
  'ckout',
  'dnh',
  'skr',
  'wpy',
  'wp',
  'wl',
  'ws',
  'xsolla',
  'xas',
  'xsl',
  'fsp',
  'fsprg',
  'dri',
  'digitalriver',
  'dr',
  'bli',
  'bluesnap',
  'bls',
  '2co',
  '2checkout',
  '2co.com',
  'avangate',
  'cleverbridge',
  'chg',
  'payu',
  'payubiz',
  'paytm',
  'razorpay',
  'rzp',
  'raz',
  'rp',
  'mp',
  'mercpago',
  'mercado pago',
  'mercadopago',
  'merpago',
  'pag',
  'pagseguro',
  'picpay',
  'ep',
  'ebanx',
  'eb anx',
  'dl',
  'dlo',
  'dlocal',
  'adyen',
  'adn',
  'mollie',
  'buckaroo',
  'ccv',
  'nya',
  'ctlp',
  'usa tech',
  'usat',
  'cantaloupe',
  'vcn',
  'vsi',
  'lsp',
  'ls',
  'lightspeed',
  'rev',
  'spo',
  'spoton',
  'gdp',
  'godaddy pay',
  'act',
  'acn',
  'hpy',
  'heartland',
  'par',
  'olo',
  'cho',
  'chownow',
  'bb',
  'mtr',
  'mb',
  'mindbody',
  'mbo',
  'glofox',
  'vagaro',
  'vgr',
  'jane',
  'fh',
  'fareharbor',
  'tickettailor',
  'tt',
  'twint',
  'vipps',
  'swish',
  'mobilepay',
  'bizum',
  'alipay',
  'wechat pay',
  'weixin',
  'wechat',
  'tenpay',
  'zip',
  'zippay',
  'afterpay',
  'clearpay',
  'affirm',
  'sezzle',
  'laybuy',
  'venmo',
  'cash app',
  'cashapp',
  'zelle',
  'zlr',
  'google pay',
  'googlepay',
  'g pay',
  'gpay',
  'apple pay',
  'applepay',
  'aplpay',
  'apl pay',
  'samsung pay',
  'samsungpay',
  'amazon pay',
  'amzn pay',
  'fitbit pay',
  'garmin pay',
  'crv',
  'revolut',
  'wise',
  'nyx',
  'nayax',
  'kiosk',
  'smp',
  'nic',
  'gc',
  'gocardless',
  'worldpay',
  'sagepay',
  'opayo',
  'nochex',
  'paysafe',
  'skrill',
  'neteller',
  'payoneer',
  '支付宝',
  '支付寶',
  '微信支付',
  '财付通',
  '財付通',
  'paypay',
];

/** Those that no shop is called by: the prefix is told by a space or a dot too. */
export const PLAIN_PROCESSORS: readonly string[] = [
  'paypal',
  'sumup',
  'zettle',
  'izettle',
  'aplpay',
  'apl pay',
  'apple pay',
  'applepay',
  'google pay',
  'googlepay',
  'gpay',
  'samsung pay',
  'mercadopago',
  'mercado pago',
  'mercpago',
  'merpago',
  'pagseguro',
  'razorpay',
  'paytm',
  'wechat pay',
  'alipay',
  'nochex',
  'mobilepay',
  'vesta',
  '支付宝',
  '支付寶',
  '微信支付',
];

/** Keys that name no shop but what stands between: an explicit save may use them, nothing is learned about them. */
export const INTERMEDIARIES: ReadonlySet<string> = new Set(
  `paypal stripe venmo applepay aplpay googlepay gpay samsungpay amazonpay shoppay cashapp zelle square squareup sumup
  zettle izettle klarna klarnabank afterpay clearpay affirm sezzle worldpay adyen mollie braintree payoneer skrill
  neteller paysafe paysafecard sagepay opayo gocardless dlocal ebanx payu paytm phonepe razorpay bharatpe cashfree
  mercadopago mercpago merpago pagseguro picpay alipay wechatpay weixinpay tenpay twint vipps swish mobilepay bizum
  ideal bancontact giropay sofort przelewy24 blik paypay linepay kakaopay naverpay tosspay grabpay gopay ovo dana
  gcash maya paymaya mpesa nochex authorizenet 2checkout bluesnap digitalriver paddle xsolla clover toast toasttab
  lightspeed visa mastercard maestro amex wise transferwise revolut remitly westernunion moneygram
  支付宝 支付寶 微信支付 财付通 財付通 楽天ペイ 카카오페이 네이버페이 юmoney юmoneу yoomoney`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** Heads by which a few very large shops abbreviate themselves on a card line. */
export const SHOP_HEADS: readonly (readonly [pattern: RegExp, head: string])[] = [
  [
    /^(?:amzn|amazon) ?(?:uk|us|usa|ca|de|fr|es|it|jp|eu|au|mx|br|in|sg)? ?\*? ?(?:marketplace|marketpl|mktplace|mktplce|mktpl|mktp)\b[ *]*(?:(?:uk|us|usa|ca|de|fr|es|it|jp|eu|au|mx|br|in|sg)\b(?!\.))?/u,
    'amazon ',
  ],
  [/^amzn\b/u, 'amazon'],
  [/^(?:msft|msbill)\b/u, 'microsoft'],
  [/^facebk\b/u, 'facebook'],
  [/^goog\b/u, 'google'],
];

/** Nouns for what the code after them names: "UBER TRIP K3J9Q". */
export const CODED_NOUNS: ReadonlySet<string> = new Set(
  'trip ride order booking invoice inv ticket no nr num number'.split(' '),
);

/** Other words for what a number of the bank's or of a paper counts. Alone before it they name nobody. */
export const REFERENCE_NOUNS: ReadonlySet<string> = new Set(
  `zahlung rechnung rechnungsnr faktura facture factura fattura fatura rechnungsnummer kunde kundennr konto
  carta bpay paybill mandat mandate dd bg pg so sto reference ref customer client contract policy member membership
  platform dock bay ward flat apartment plot lot chapter division district sector class series season channel
  terminal gate agent warehouse depot`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** Nouns for the place that the number after them is of. A code of letters and digits does not count: a store can be the name. */
export const PLACE_NOUNS: ReadonlySet<string> = new Set(
  `store stores shop branch no nr num number site unit location loc terminal reg till filiale fil agence sucursal
  tienda magasin loja butik sklep`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** Numbers that are part of names, though three digits or longer. */
export const NAME_NUMBERS: ReadonlySet<string> = new Set(
  '100 101 111 123 180 212 247 300 311 360 365 404 411 500 501 505 511 555 666 711 747 777 800 888 900 911 999 1000 1001 2000 3000 5000'.split(
    ' ',
  ),
);

/** Legal forms that also end the name in the middle of a line: what comes after is a place or a code. Longest first. */
export const CUTTING_LEGAL_FORMS: readonly string[] = [
  'gmbh & co kgaa',
  'gmbh & co kg',
  'gmbh co kg',
  'pty limited',
  'pty ltd',
  'pte limited',
  'pte ltd',
  'pvt limited',
  'pvt ltd',
  'private limited',
  'co limited',
  'co ltd',
  'sdn bhd',
  'sdn bhn',
  'proprietary limited',
  'sp z o o',
  'sp zoo',
  'sp z oo',
  'spolka z o o',
  's de rl de cv',
  'sa de cv',
  'sapi de cv',
  'limited liability company',
  'limited company',
  'aktiengesellschaft',
  'aktiebolag',
  'incorporated',
  'limited',
  'gmbh',
  'sarl',
  'llc',
  'inc',
  'ltd',
  'plc',
  'srl',
  'sdn',
];

/** Legal forms at the end of the name only; in the middle they may be words. */
export const CLOSING_LEGAL_FORMS: readonly string[] = [
  ...CUTTING_LEGAL_FORMS,
  'public limited company',
  'societe anonyme',
  'sociedad anonima',
  'sociedad limitada',
  'sociedade anonima',
  'naamloze vennootschap',
  'besloten vennootschap',
  'aktieselskab',
  'aksjeselskap',
  'anpartsselskab',
  'osakeyhtio',
  'kabushiki kaisha',
  'corporation',
  'company',
  'corp',
  'co',
  'llp',
  'lllp',
  'lp',
  'pllc',
  'pbc',
  'bv',
  'b v',
  'nv',
  'n v',
  'vof',
  'cvba',
  'bvba',
  'sprl',
  'ag',
  'kg',
  'kgaa',
  'ohg',
  'gbr',
  'mbh',
  'ug',
  'ug haftungsbeschrankt',
  'eg',
  'ek',
  'sa',
  'sas',
  'sasu',
  'eurl',
  'snc',
  'sca',
  'sl',
  'slu',
  'sau',
  's a',
  's l',
  's r l',
  's p a',
  's a s',
  'slne',
  'lda',
  'ltda',
  'limitada',
  'eireli',
  'srls',
  'sapa',
  'ab',
  'publ',
  'as',
  'a/s',
  'asa',
  'aps',
  'k/s',
  'p/s',
  'i/s',
  'oy',
  'oyj',
  'oy ab',
  'hf',
  'ehf',
  'ou',
  'uab',
  'sro',
  'spol sro',
  'doo',
  'd o o',
  'jdoo',
  'kft',
  'zrt',
  'nyrt',
  'ood',
  'eood',
  'a s',
  'ltd sti',
  'ltd sirketi',
  'tbk',
  'persero',
  'berhad',
  'bhd',
  's/b',
  'sb',
  'kk',
  'k k',
  'gk',
  'pjsc',
  'ojsc',
  'jsc',
  'ooo',
  'fze',
  'fzco',
  'fz llc',
  'fzc',
  'wll',
  'saoc',
  'saog',
  'sal',
  'ооо',
  'оао',
  'зао',
  'пао',
  'ао',
  'тов',
  'ип',
  'αε',
  'α ε',
  'εε',
  'οε',
  'επε',
  'ικε',
];

/** Written with dots they are legal forms, without them words. Regular expressions for the end of the name. */
export const DOTTED_LEGAL_FORMS: readonly string[] = [
  String.raw`s\.? ?p\.? ?a\.`,
  String.raw`s\.p\.a\.?`,
  String.raw`d\.d\.`,
  String.raw`a\.d\.`,
  String.raw`e\.v\.`,
  String.raw`p\.c\.`,
  String.raw`s\.e\.`,
];

/** Legal forms before the name. */
export const OPENING_LEGAL_FORMS: readonly string[] = [
  'ооо',
  'оао',
  'зао',
  'пао',
  'ао',
  'ип',
  'тов',
  'фоп',
  'ooo',
  'uab',
  'pt.',
  'cv.',
  'cong ty tnhh mtv',
  'cong ty tnhh',
  'cong ty co phan',
  'cong ty cp',
];

/** Legal forms of scripts without spaces, at either end. */
export const UNSPACED_LEGAL_FORMS: readonly string[] = [
  '株式会社',
  '有限会社',
  '合同会社',
  '合資会社',
  '合名会社',
  '一般社団法人',
  '一般財団法人',
  '(株)',
  '(有)',
  '(同)',
  '股份有限公司',
  '有限责任公司',
  '有限責任公司',
  '有限公司',
  '주식회사',
  '유한회사',
  '유한책임회사',
  '(주)',
  '(유)',
  'บริษัท',
  'จํากัด(มหาชน)',
  'จํากัด (มหาชน)',
  'จํากัด',
  'שרכה',
  'שركة',
  'شركة',
  'ذ.م.م',
  'ش.م.م',
  'בע"מ',
  'בע״מ',
  'בעמ',
];

/** Beginnings of legal forms, where a field of 18 or more characters cut them off. */
export const CUT_OFF_LEGAL_FORMS: ReadonlySet<string> = new Set(
  'lt limi limit limite compa compan corpo corpor corpora corporat corporati corporatio incorp incorpo incorpor incorpora incorporat incorporate'.split(
    ' ',
  ),
);

/** Words about how it was sold, billed or paid, at the end of the name. Longest first. */
export const CLOSING_WORDS: readonly string[] = [
  'on line',
  'top up',
  'web sale',
  'bill payment',
  'eu uk',
  'subscriptions',
  'subscription',
  'subscripti',
  'subscrip',
  'subscr',
  'recurring',
  'autopay',
  'payments',
  'payment',
  'pymts',
  'pymt',
  'pmts',
  'pmt',
  'billpay',
  'prepay',
  'prepaid',
  'topup',
  'purchase',
  'monthly',
  'yearly',
  'website',
  'online',
  'stores',
  'group',
  'retail',
  'marketplace',
  'mktplace',
  'mktplce',
  'mktp',
  'uk',
  'gb',
  'gbr',
  'usa',
  'eu',
  'gbp',
  'usd',
  'eur',
];

/** A country before a legal form: "ebuyer (UK) Ltd", "COSWAY (M) SDN BHD". Only in brackets. */
export const BRACKETED_COUNTRIES: ReadonlySet<string> = new Set(
  `uk gb us usa u.k u.s u.s.a u.k. u.s. u.s.a. eu emea europe international int m malaysia s singapore sg hk hongkong
  hong-kong australia aust nz ireland irl ireland. india ind thailand china japan canada ca france germany deutschland
  espana spain italia italy nederland netherlands schweiz suisse switzerland osterreich austria belgium danmark denmark
  norge sweden sverige finland polska poland sa south-africa za uae dubai cc`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** Words by which a bracket at the end is told to be a place: "SUBWAY (Hagley Road)". */
export const PLACE_WORDS: ReadonlySet<string> = new Set(
  `road rd street st. str strasse avenue ave av boulevard blvd lane ln drive dr. way square sq mall airport station
  centre center plaza terminal highway hwy parkway park branch store rue calle via plein straat gatan vej`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** Words that name nobody in any number. */
export const SMALL_WORDS: ReadonlySet<string> = new Set(
  'the a an and of at in on for by de del la le les el los das der die da do du il lo al no nr'.split(' '),
);

/**
 * Words that a thousand shops share. They are never removed for being here; a name is only never reduced to nothing
 * but them.
 */
export const GENERIC_WORDS: ReadonlySet<string> = new Set(
  `route highway hwy interstate exit gate pier level unit suite studio room floor building bldg block area zone
  store stores shop shops market markets mart supermarket superstore hypermarket grocery groceries foods food deli
  bakery cafe coffee tea bar pub grill kitchen restaurant restaurants ristorante restaurante restoran bistro pizza
  pizzeria burger burgers chicken sushi kebab noodle noodles diner lounge club hotel hotels motel inn hostel resort
  lodge suites apartments camping parking park garage car cars auto autos taxi cab cabs bus train rail air airport
  airlines airways travel tours gas petrol fuel station service services garage wash tyre tyres tires
  pharmacy chemist drugstore apotheke farmacia pharmacie clinic dental dentist medical health hospital vet
  salon barber barbers hair nails beauty spa gym fitness sports sport golf yoga dance
  book books bookshop library school college university academy nursery museum gallery theatre theater cinema
  hardware tools supplies supply electrical plumbing building builders garden gardens flowers florist furniture
  home house design print printing press media news newsagent newsagents post office mail stationery stationers
  computer computers phone phones mobile telecom internet web digital software solutions systems technologies
  technology tech bank insurance energy power water electric electricity clothing fashion shoes jewellers jewelers
  toys gifts gift cards card pets pet farm fish meat fruit wine wines liquor spirits beer
  trading enterprise enterprises company co corp inc ltd limited llc group holdings holding retail wholesale
  international global national city town village central royal new old best super mega mini first one
  brasserie taverna tavern trattoria osteria gasthaus cantina taqueria steakhouse saloon brewery distillery winery
  boutique atelier eatery canteen grille bodega enoteca ramen pho thai wok curry taco tacos donuts gelato patisserie
  boulangerie backerei metzgerei konditorei imbiss locanda kino galerie hostal pension albergo auberge tankstelle
  villa casa maison haus house loft tattoo records vintage crossfit pilates bowling arcade brunch eats
  bikes cycles boats charter catering events courier removals storage cleaning security realty properties homes
  agency agencies partners ventures capital labs films pictures productions logistics delivery architects legal law
  accountants finance realty estates chalet moto marine barbershop lettings factory hall court plaza square tower avenue street radio union ресторан кафе магазин аптека 食堂 居酒屋
  premium plan pro plus basic subscription membership service
  direct online website express metro local fresh corner check cash credit world tv`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** Parts of a web name that say what the page is for. Any other one may be the shop on somebody's platform. */
export const SERVICE_SUBDOMAINS: ReadonlySet<string> = new Set(
  `www www2 www3 m help support shop store pay payments payment billing bill bills checkout secure my account accounts
  app apps order orders mail info portal online web go get join member members membership id login uk us en de fr eu`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** Without those of councils and schools: what stands before them is a place that others are called by too. */
export const WEB_ENDINGS: readonly string[] = [
  ...'uk au nz za br mx ar tr in sg my hk jp kr th id il cn tw ph pk ng ke co pe ve'
    .split(' ')
    .flatMap((country) => [`com.${country}`, `co.${country}`, `org.${country}`, `net.${country}`]),
  'ltd.uk',
  'plc.uk',
  'me.uk',
  'or.jp',
  'ne.jp',
  ...'com net org info biz app dev shop store online site cloud tech xyz club live mobi travel agency bank page world'.split(
    ' ',
  ),
  ...'co io ai me tv uk de fr es it nl be ch at dk se no fi ie pt pl cz sk hu ro bg gr hr si rs ua ru ee lv lt lu us ca mx br ar cl in au nz jp cn hk tw sg my id th vn ph kr il tr ae za eu gg fm ly so to cc'.split(
    ' ',
  ),
];
