/** What `resolve-account.ts` knows of bookkeeping words. Everything is folded: lower case, no accents, singular. */

export interface Concept {
  readonly name: string;
  /** Words for one and the same; a word with a star is the beginning of compounds ("telefon*"), one with a tilde stands anywhere in a name without blanks. */
  readonly words: string;
  /** Where it is booked when the chart has no account of its own for it. */
  readonly broader?: readonly string[];
}

/** The synonyms, in the languages of the charts that are met most: English, German, French, Spanish, Italian, Dutch, Portuguese, Nordic. */
export const CONCEPTS: readonly Concept[] = [
  {
    name: 'advertising',
    words:
      'ad ads adv advert advertising advertisement marketing mktg promotion promo promotional publicity branding werbung werbe* reklame* reklam reclame* publicite publicidad pubblicita publicidade annonce* marknadsforing markedsforing promocion propaganda ~広告 ~宣伝 ~广告 ~廣告 ~광고',
  },
  {
    name: 'fuel',
    words:
      'fuel petrol gasoline diesel kraftstoff* benzin* carburant* combustible* carburante* brandstof* combustivel drivmedel braendstof drivstoff ~燃料 ~ガソリン ~油费 ~유류',
    broader: ['vehicle'],
  },
  { name: 'gas', words: 'gas erdgas gaz', broader: ['energy', 'utilities'] },
  {
    name: 'electricity',
    words:
      'electricity electric power strom* electricite electricidad elettricita elektriciteit ~電気 ~电费 ~전기',
    broader: ['energy', 'utilities'],
  },
  { name: 'water', words: 'water sewage sewer wasser* eau agua acqua', broader: ['utilities'] },
  { name: 'energy', words: 'energy heating heizung* energie* energia', broader: ['utilities'] },
  { name: 'utilities', words: 'utility nebenkosten* nutsvoorziening* ~光熱 ~水电 ~수도광열' },
  {
    name: 'waste',
    words: 'waste refuse garbage trash rubbish recycling mull* abfall*',
    broader: ['utilities'],
  },
  {
    name: 'vehicle',
    words:
      'vehicle vehic veh car auto automobile automotive truck van fleet motor kfz* fahrzeug* pkw* vehicule* vehiculo* voiture* veicol* autovett* voertuig* bil* veiculo* ~車両 ~车辆 ~車輛 ~차량',
  },
  {
    name: 'parking',
    words: 'parking toll tolls parkgebuhr* stationnement aparcamiento parcheggi* peaje peage pedagg*',
    broader: ['vehicle', 'transport'],
  },
  { name: 'taxi', words: 'taxi cab rideshare ride minicab', broader: ['transport', 'travel'] },
  {
    name: 'transport',
    words:
      'transport transportation transit fare mileage fahrtkost* transporte trasport* vervoer* ~交通 ~교통',
    broader: ['travel'],
  },
  {
    name: 'rail',
    words: 'rail train railway bahn* tren treno trein tog subway metro tram',
    broader: ['transport', 'travel'],
  },
  { name: 'bus', words: 'bus coach', broader: ['transport', 'travel'] },
  {
    name: 'flight',
    words: 'flight airfare airline air plane flug* vol vuelo volo vlucht* voo',
    broader: ['transport', 'travel'],
  },
  {
    name: 'travel',
    words:
      'travel trip journey travelling traveling reise* voyage* deplacement* viaje* viaggi* trasfert* reis reiskost* viagen* viagem rejse* resa resor resekostnad* ~旅費 ~旅费 ~差旅 ~出張 ~여비 ~출장',
  },
  {
    name: 'lodging',
    words:
      'hotel lodging accommodation accomodation motel hostel airbnb stay overnight ubernachtung* hebergement hotellerie alojamiento alloggi* overnachting* hospedagem logi boende ~宿泊 ~住宿 ~숙박',
    broader: ['travel'],
  },
  {
    name: 'meal',
    words:
      'meal food lunch dinner breakfast restaurant dining catering refreshment snack coffee grocery bewirtung* verpflegung* repas restauration comida ristorant* vitto maaltijd* refeica* maltid* ~飲食 ~餐 ~会議費 ~식대',
    broader: ['entertainment'],
  },
  {
    name: 'entertainment',
    words:
      'entertainment entertaining hospitality bewirtung* reception representacion rappresentanza representatie* ~交際 ~接待 ~招待 ~접대',
  },
  {
    name: 'rent',
    words:
      'rent rental lease leasing miet* pacht* loyer* alquiler* arrendamiento* affitt* locazion* huur* aluguel aluguer renda hyra lokalhyra husleie husleje coworking ~家賃 ~賃借 ~租金 ~租赁 ~房租 ~임차 immobilier*',
  },
  {
    name: 'phone',
    words:
      'phone telephone tel telecom telecommunication mobile cell cellphone cellular landline voip sim telefon* telekom* handy mobilfunk* telephonie telephon* telefoni* telefono* telecomunica* telefoon* telefonia ~通信 ~电话 ~電話 ~통신',
    broader: ['utilities'],
  },
  {
    name: 'internet',
    words: 'internet broadband wifi isp fibre fiber dsl internet*',
    broader: ['phone', 'utilities'],
  },
  {
    name: 'hosting',
    words: 'hosting host server cloud domain webhosting hosting*',
    broader: ['software', 'it', 'internet'],
  },
  { name: 'website', words: 'website web webseite*', broader: ['hosting', 'it'] },
  {
    name: 'software',
    words:
      'software saas app application sw softwar* logiciel* programvara programvare ~ソフトウェア ~软件 ~軟體 ~소프트웨어',
    broader: ['it'],
  },
  {
    name: 'it',
    words:
      'it computer computing ict edv* datenverarbeitung informatique* informatica* automatisering* technology tech',
  },
  {
    name: 'subscription',
    words:
      'subscription subscript subs sub membership dues abo abonnement* abonnemang suscripcion* abbonament* assinatura* contributie*',
  },
  {
    name: 'insurance',
    words:
      'insurance insur ins assurance versicherung* seguro* assicurazion* verzekering* forsikring* forsakring* ~保険 ~保险 ~保險 ~보험',
  },
  {
    name: 'bank',
    words:
      'bank banking bancaire* bancari* bancario bancaria geldverkehr* bankavgift* bankkost* ~銀行 ~银行 ~은행',
  },
  {
    name: 'fee',
    words:
      'fee charge chg chgs commission gebuhr* comision* commission* avgift* gebyr* tarifa ~手数料 ~手续费 ~手續費 ~수수료',
  },
  {
    name: 'interest',
    words: 'interest zins* interet* interes interess* rente ranta rantekostnad* juros ~利息 ~이자',
  },
  {
    name: 'accounting',
    words:
      'accounting accountancy accountant bookkeeping bookkeeper audit auditing buchfuhrung* buchhaltung* steuerberat* abschluss* comptab* contab* boekhoud* accountantskosten bokforing* regnskab* regnskap* revision redovisning* ~会計 ~税理士 ~审计 ~회계',
    broader: ['professional'],
  },
  {
    name: 'legal',
    words:
      'legal lawyer attorney solicitor law counsel recht* anwalt* juridi* avocat* abogad* avvocat* advocat* advokat* ~法律 ~법률',
    broader: ['professional'],
  },
  {
    name: 'consulting',
    words:
      'consulting consultancy consultant advisory adviser advisor beratung* conseil consultor* consulen* advies* konsult*',
    broader: ['professional'],
  },
  {
    name: 'professional',
    words: 'professional prof honoraire* honorari* honorar* profesional* professionn*',
  },
  {
    name: 'contractor',
    words:
      'contractor subcontractor freelance freelancer fremdleistung* soustraitance subcontrata* subappalt* uitbesteed* underleverandor* ~外注 ~외주',
  },
  {
    name: 'salary',
    words:
      'salary wage payroll pay lohn* gehalt* gehalter* lohne* salaire* remuneration* salario* sueldo* stipend* salari* lonen loner lon ordenado* ~給料 ~給与 ~工资 ~薪 ~급여',
  },
  {
    name: 'training',
    words:
      'training education course seminar workshop fortbildung* weiterbildung* schulung* formation* formacion formazione opleiding* formacao utbildning* uddannelse* ~研修 ~培训 ~교육',
  },
  { name: 'research', words: 'rnd research forschung*' },
  { name: 'conference', words: 'conference event tagung* congres* congreso*', broader: ['training'] },
  { name: 'recruitment', words: 'recruitment recruiting hiring recruit personalbeschaff*' },
  {
    name: 'office-supply',
    words:
      'stationery stationary burobedarf* buromaterial* fourniture* papeleria cancelleria kantoor* kontorsmaterial* papelaria ~事務用品 ~办公 ~사무용품',
    broader: ['supply'],
  },
  {
    name: 'supply',
    words:
      'supply suppl material mat matl consumable disposable suministro* fornitur* benodigd* ~消耗品 ~소모품',
  },
  {
    name: 'printing',
    words:
      'printing print photocopying photocopy copying copy druck* impression* impresion* stampa* drukwerk*',
  },
  {
    name: 'postage',
    words:
      'postage post mail courier stamp porto* postal poste correo* posta frimarke* postaux postage* ~郵便 ~邮',
    broader: ['shipping'],
  },
  {
    name: 'shipping',
    words:
      'shipping freight delivery shipment carriage versand* fracht* ausgangsfracht* livraison* envio* spedizion* verzend* frakt* frete ~運賃 ~荷造 ~运费 ~快递 ~운반',
  },
  {
    name: 'repair',
    words: 'repair reparatur* reparation* reparacion* riparazion* reparatie* reparo* ~修繕 ~维修 ~수선',
    broader: ['maintenance'],
  },
  {
    name: 'maintenance',
    words:
      'maintenance mtce maint upkeep instandhalt* wartung* entretien mantenimiento manutenzion* onderhoud* underhall* vedlikehold* vedligehold* manutencao',
    broader: ['repair'],
  },
  {
    name: 'cleaning',
    words:
      'cleaning janitorial reinigung* nettoyage limpieza pulizi* schoonmaak* limpeza stadning* rengoring*',
  },
  {
    name: 'equipment',
    words:
      'equipment equip eqpt eqt tool hardware ausrustung* werkzeug* equipement* equipo* attrezzatur* gereedschap*',
  },
  {
    name: 'furniture',
    words: 'furniture furnishing mobel* mobilier mobiliario arredament* meubilair',
    broader: ['equipment'],
  },
  {
    name: 'tax',
    words:
      'tax duty levy steuer* impot* taxe* impuesto* impost* tribut* belasting* skatt* skat ~租税 ~税 ~세금',
  },
  { name: 'licence', words: 'licence license permit lic lics lizenz* konzession* licenc* licenz* licenti*' },
  { name: 'fine', words: 'fine penalty bussgeld* amende* multa* boete*' },
  {
    name: 'donation',
    words: 'donation charity charitable spende* don dons donacion* donazion* donatie* doacao gava',
  },
  { name: 'gift', words: 'gift present geschenk* cadeau* regalo* omaggi* relatiegeschenk* presente' },
  {
    name: 'book',
    words:
      'book publication magazine newspaper journal periodical npaper literature fachliteratur* zeitschrift* bucher* livre* libro* libri vakliteratuur ~図書 ~图书 ~도서',
  },
  {
    name: 'depreciation',
    words:
      'depreciation amortization amortisation abschreibung* dotation* amortissement* amortizacion* ammortament* afschrijving* avskrivning* ~減価償却 ~折旧 ~감가상각',
  },
  {
    name: 'inventory',
    words:
      'merchandise resale cogs wareneinkauf* wareneinsatz* marchandise* mercaderia* mercaderias merci inkoop*',
  },
  { name: 'security', words: 'security alarm guard bewachung* securite seguridad sicurezza beveiliging*' },
  {
    name: 'clothing',
    words: 'clothing uniform workwear kleidung* arbeitskleidung* vetement* ropa vestuario',
  },
  { name: 'medical', words: 'medical health healthcare doctor gesundheit* sante salud' },
];

/** Expressions that are one word to a bookkeeper, before words are taken apart. */
export const EXPRESSIONS: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/\br ?& ?d\b|\bresearch (?:and|&) development\b/gu, ' rnd '],
  [/\br ?& ?m\b/gu, ' repair maintenance '],
  [/\brm\b/gu, ' repair maintenance '],
  [/\bcosts? of (?:goods(?: sold)?|sales?|revenues?)\b|\bcogs\b|\bcos\b/gu, ' cogs '],
  [/\bair ?fares?\b|\bplane tickets?\b/gu, ' airfare '],
  [/\bpay ?roll\b/gu, ' payroll '],
  [/\bbook ?keeping\b/gu, ' bookkeeping '],
  [/\bco-?working\b/gu, ' coworking '],
  [/\bpublic transport(?:ation)?\b/gu, ' transit '],
  [/\bwi-?fi\b/gu, ' wifi '],
  [/\bweb ?sites?\b/gu, ' website '],
  [/\bcell ?phones?\b|\bmobile phones?\b/gu, ' phone '],
  [/\btrain (?:tickets?|fares?)\b/gu, ' train '],
  [/\btaxi (?:rides?|fares?)\b/gu, ' taxi '],
  [/\bad spend\b/gu, ' advertising '],
  [/\boffice stationery\b/gu, ' stationery '],
  [/\bn'?papers?\b/gu, ' newspaper '],
  [/\bmat'?ls?\b/gu, ' material '],
  [/\beq'?t\b/gu, ' equipment '],
];

/** Abbreviations in names of accounts. */
export const ABBREVIATIONS: ReadonlyMap<string, string> = new Map(
  `phon:phone oth:other misc:miscellaneous mic:miscellaneous exp:expense exps:expense expend:expense expenditure:expense prof:professional
  admin:administration govt:government dept:department mgmt:management svc:service svce:service serv:service
  bldg:building accom:accommodation furn:furniture equip:equipment purch:purchase subscript:subscription
  insur:insurance advert:advertising telecoms:telecom comms:telecom uncategorised:uncategorized
  unclassified:uncategorized licens:license taxis:taxi`
    .split(/\s+/)
    .map((pair) => pair.split(':') as [string, string]),
);

/** Words that add nothing to what is meant. */
export const FILLERS: ReadonlySet<string> = new Set(
  `the a an my our your this that its of for and or to in on at by with from as into under incl et und de la le les des du d l
  y e i og och en van voor der die das fur fuer per con del da do
  expense cost account acct category costs spending spend bill payment invoice kosten aufwand aufwendung gasto charges-de
  frais depense spesa costo custo despesa kostnad omkostning
  monthly annual yearly weekly general business-expense regular various company stuff thing item related`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** Heads that say little: "legal fees" are for the legal account where none is called so. */
export const LIGHT_HEADS: ReadonlySet<string> = new Set(
  'fee charge service subscription purchase'.split(' '),
);

/** For whom or where it is, which no account need say: "office rent". */
export const LIGHT_MODIFIERS: ReadonlySet<string> = new Set(
  'office company staff team client customer employee warehouse shop store monthly'.split(' '),
);

/** What is also said in other words, where the chart has not these. */
export const ALTERNATIVES: readonly (readonly [words: readonly string[], instead: readonly string[]])[] = [
  [['office', 'supply'], ['stationery']],
  [['office', 'material'], ['stationery']],
  [['bank', 'fee'], ['bank']],
  [['web', 'hosting'], ['hosting']],
  [['credit', 'card', 'fee'], ['bank']],
  [['card', 'fee'], ['bank']],
  [['card', 'processing', 'fee'], ['bank']],
  [['processing', 'fee'], ['bank']],
  [['transaction', 'fee'], ['bank']],
  [['merchant', 'fee'], ['bank']],
  [['wire', 'fee'], ['bank']],
];

/** What comes after them is not what the account is for. */
export const NAME_PREPOSITIONS = /\s(?:for|on|to|fur|fuer|pour|para|per|voor|till|til)\s/u;

/** Labels on a document and no accounts, unless an account is called so. */
export const LABEL_WORDS: ReadonlySet<string> = new Set(
  'personal private business work billable reimbursable deductible'.split(' '),
);

/** Names of accounts for what nobody placed yet. They can be asked about and are never chosen. */
export const CATCH_ALL_WORDS: ReadonlySet<string> = new Set(
  `uncategorized miscellaneous other sundry sundries various general unknown unallocated unassigned
  sonstige sonstiger sonstiges ubrige verschiedene diverse divers autre vario otro otros altri altro varie overige
  algemene ovriga ovrigt andre outros outra outro diversos`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

export const CATCH_ALL_UNSPACED = /雑費|雑損|その他|其他|杂费|雜費|기타|잡비/u;

/** What may stand beside such a word without making it a place of its own: "Other Business Expenses". */
export const CATCH_ALL_COMPANIONS: ReadonlySet<string> = new Set(
  `business operating indirect direct overhead service purchase supply charge fee administration administrative
  administratif betriebliche betrieb externe gestion generale`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** Accounts by which books are put right; only a person who names one means it. */
export const TECHNICAL_ACCOUNTS =
  /\bask (?:my|your|the|an?) (?:accountant|bookkeeper)\b|\bsuspense\b|\bclearing\b|\breconcil|\bdiscrepanc|\bopening balance|\bround(?:ing|[- ]off)\b|\b(?:budget|bdgt) ?only\b|\bdo not use\b|\bclosed\b|\bunapplied\b|\bundeposited\b|\bexchange (?:gain|loss|rate)|\b(?:un)?realized (?:gain|loss)|\bverrechnungskonto\b|\bcompte d.?attente\b|\bcuenta (?:puente|transitoria)\b/u;

/** A word of two meanings, which what the merchant sells decides. */
export const TWO_MEANINGS: ReadonlyMap<
  string,
  readonly { readonly kind: MerchantKind; readonly concept: string }[]
> = new Map([
  [
    'gas',
    [
      { kind: 'fuel', concept: 'fuel' },
      { kind: 'utility', concept: 'gas' },
    ],
  ],
]);

export type MerchantKind = 'fuel' | 'utility';

/** What a merchant sells, by words and well-known names of its trade; the first that fits. */
export const MERCHANT_KINDS: readonly { readonly kind: MerchantKind; readonly pattern: RegExp }[] = [
  {
    kind: 'utility',
    pattern:
      /\b(?:energy|electric|electricity|power|utility|utilities|gas (?:co|company|works|board)|(?:natural|british|pacific|southern california|peoples|washington|northwest|southwest|nw|city|national|spire|columbia|nicor|questar|piedmont) gas|gas (?:&|and) (?:electric|power)|pg ?& ?e|pge|sdg ?& ?e|bg ?& ?e|socalgas|con ?ed(?:ison)?|coned|national grid|pse ?& ?g|xcel|duke|dominion|entergy|eversource|centerpoint|edf|e\.?on|engie|enel|vattenfall|rwe|npower|sse|stadtwerke|gasag|eneco|essent|naturgy|iberdrola|endesa|gazprom|ovo|octopus|agl|enbridge|fortis(?:bc)?|hydro)\b/u,
  },
  {
    kind: 'fuel',
    pattern:
      /\b(?:shell|bp|esso|exxon(?:mobil)?|mobil|chevron|texaco|total(?:energies)?|arco|conoco|phillips 66|76|sunoco|valero|citgo|sinclair|marathon|speedway|gulf|murco|circle k|racetrac|quiktrip|wawa|sheetz|love'?s|pilot|flying j|petro(?:l|leum|s|canada|-canada)?|fuels?|gas station|gasoline|service station|filling station|f\/?stn|aral|omv|agip|eni|repsol|cepsa|galp|statoil|okq8|q8|preem|orlen|lukoil|caltex|ampol|tankstelle|tamoil|ip gruppo|indian oil|hpcl|bpcl|petrobras|ypf|pemex|petronas|buc-?ee'?s|maverik|kwik trip|cumberland farms|tank)\b/u,
  },
];
