/** What `resolve-account.ts` knows of bookkeeping words. Everything is folded: lower case, no accents, singular. */

export interface Concept {
  readonly name: string;
  /** Words for one and the same; a word with a star is the beginning of compounds ("telefon*"). */
  readonly words: string;
  /** Where it is booked when the chart has no account of its own for it. */
  readonly broader?: readonly string[];
}

/** The synonyms, in the languages of the charts that are met most: English, German, French, Spanish, Italian, Dutch, Portuguese, Nordic. */
export const CONCEPTS: readonly Concept[] = [
  {
    name: 'advertising',
    words:
      'ad ads adv advert advertising advertisement marketing mktg promotion promo promotional publicity branding sponsorship-ad werbung werbe* reklame* reklam reclame* publicite publicidad pubblicita publicidade annonce* marknadsforing markedsforing promocion propaganda',
  },
  {
    name: 'fuel',
    words:
      'fuel petrol gasoline diesel kraftstoff* benzin* carburant* combustible* carburante* brandstof* combustivel drivmedel braendstof drivstoff',
    broader: ['vehicle'],
  },
  { name: 'gas', words: 'gas natural-gas erdgas gaz', broader: ['energy', 'utilities'] },
  {
    name: 'electricity',
    words:
      'electricity electric electrical-power power strom* electricite electricidad elettricita energia-eletrica elektriciteit el-forbrug',
    broader: ['energy', 'utilities'],
  },
  { name: 'water', words: 'water sewage sewer wasser* eau agua acqua', broader: ['utilities'] },
  { name: 'energy', words: 'energy heating heizung* energie* energia', broader: ['utilities'] },
  { name: 'utilities', words: 'utility nebenkosten* servizi-pubblici nutsvoorziening*' },
  {
    name: 'waste',
    words: 'waste refuse garbage trash rubbish recycling mull* abfall*',
    broader: ['utilities'],
  },
  {
    name: 'vehicle',
    words:
      'vehicle vehic veh car auto automobile automotive truck van fleet motor kfz* fahrzeug* pkw* vehicule* vehiculo* voiture* veicol* autovett* auto-onderhoud voertuig* bil* veiculo*',
  },
  {
    name: 'parking',
    words:
      'parking park-fee toll tolls parkgebuhr* stationnement aparcamiento parcheggi* peaje peage pedagg*',
    broader: ['vehicle', 'transport'],
  },
  {
    name: 'transport',
    words:
      'transport transportation taxi cab rideshare ride transit fare mileage fahrtkost* transporte trasport* vervoer*',
    broader: ['travel'],
  },
  {
    name: 'rail',
    words: 'rail train railway bahn* train-ticket tren treno trein tog tag-resa subway metro tram',
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
      'travel trip journey business-trip travelling traveling reise* voyage* deplacement* viaje* viaggi* trasfert* reis reiskost* viagen* viagem rejse* resa resor resekostnad*',
  },
  {
    name: 'lodging',
    words:
      'hotel lodging accommodation accomodation motel hostel airbnb stay overnight ubernachtung* hebergement hotellerie alojamiento alloggi* overnachting* hospedagem logi boende',
    broader: ['travel'],
  },
  {
    name: 'meal',
    words:
      'meal food lunch dinner breakfast restaurant dining catering refreshment snack coffee grocery bewirtung* verpflegung* repas restauration comida ristorant* vitto maaltijd* refeica* maltid* representation-meal',
    broader: ['entertainment'],
  },
  {
    name: 'entertainment',
    words:
      'entertainment entertaining hospitality bewirtung* reception representacion rappresentanza representatie*',
  },
  {
    name: 'rent',
    words:
      'rent rental lease leasing miet* pacht* loyer* location-immo alquiler* arrendamiento* affitt* locazion* huur* aluguel aluguer renda hyra lokalhyra husleie husleje coworking',
  },
  {
    name: 'phone',
    words:
      'phone telephone tel telecom telecommunication mobile cell cellphone cellular landline voip sim telefon* telekom* handy mobilfunk* telephonie telephon* telefoni* telefono* telecomunica* telefoon* telefonia',
    broader: ['utilities'],
  },
  {
    name: 'internet',
    words: 'internet broadband wifi wi-fi isp fibre fiber dsl',
    broader: ['phone', 'utilities'],
  },
  {
    name: 'hosting',
    words: 'hosting host server cloud domain webhosting hebergement-web alojamiento-web',
    broader: ['software', 'it', 'internet'],
  },
  { name: 'website', words: 'website web-site webseite* site-web', broader: ['hosting', 'it'] },
  {
    name: 'software',
    words:
      'software saas app application programme-licence sw softwar* logiciel* programa-informatico lizenz-software programvara programvare edv-software',
    broader: ['it'],
  },
  {
    name: 'it',
    words:
      'it computer computing ict edv* datenverarbeitung informatique* informatica* automatisering* data-processing technology tech',
  },
  {
    name: 'subscription',
    words:
      'subscription subscript subs sub membership dues abo abonnement* abonnemang suscripcion* abbonament* assinatura* contributie*',
  },
  {
    name: 'insurance',
    words:
      'insurance insur ins assurance versicherung* seguro* assicurazion* verzekering* forsikring* forsakring*',
  },
  {
    name: 'bank',
    words: 'bank banking bancaire* bancari* bancario bancaria geldverkehr* bankavgift* bankkost*',
  },
  {
    name: 'fee',
    words:
      'fee charge chg chgs commission gebuhr* frais-bancaire comision* commission* spese-bancarie kosten-bank avgift* gebyr* tarifa',
  },
  { name: 'interest', words: 'interest zins* interet* interes interess* rente ranta rantekostnad* juros' },
  {
    name: 'accounting',
    words:
      'accounting accountancy accountant bookkeeping bookkeeper audit auditing buchfuhrung* buchhaltung* steuerberat* abschluss* comptab* contab* boekhoud* accountantskosten bokforing* regnskab* regnskap* revision redovisning*',
    broader: ['professional'],
  },
  {
    name: 'legal',
    words:
      'legal lawyer attorney solicitor law counsel rechts* anwalt* juridi* avocat* legal-fee abogad* avvocat* advocat* advokat*',
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
      'contractor subcontractor freelance freelancer contract-labor contract-labour fremdleistung* soustraitance sous-traitance subcontrata* subappalt* uitbesteed* underleverandor*',
  },
  {
    name: 'salary',
    words:
      'salary wage payroll pay staff-cost lohn* gehalt* gehalter* lohne* salaire* remuneration* salario* sueldo* stipend* salari* lonen loner lon ordenado*',
  },
  {
    name: 'training',
    words:
      'training education course seminar workshop fortbildung* weiterbildung* schulung* formation* formacion formazione opleiding* formacao utbildning* uddannelse*',
  },
  { name: 'research', words: 'rnd research forschung* recherche-developpement investigacion-desarrollo' },
  { name: 'conference', words: 'conference event tagung* congres* congreso*', broader: ['training'] },
  { name: 'recruitment', words: 'recruitment recruiting hiring recruit personalbeschaff*' },
  {
    name: 'office-supply',
    words:
      'stationery stationary burobedarf* buromaterial* fourniture* papeleria cancelleria kantoor* kontorsmaterial* papelaria',
    broader: ['supply'],
  },
  { name: 'supply', words: 'supply suppl material mat matl consumable suministro* fornitur* benodigd*' },
  {
    name: 'printing',
    words:
      'printing print photocopying photocopy copying copy druck* impression* impresion* stampa* drukwerk*',
  },
  {
    name: 'postage',
    words: 'postage post mail courier stamp porto* postal poste correo* posta frimarke*',
    broader: ['shipping'],
  },
  {
    name: 'shipping',
    words:
      'shipping freight delivery shipment carriage versand* fracht* ausgangsfracht* transport-de-bien livraison* envio* spedizion* verzend* frakt* frete',
  },
  {
    name: 'repair',
    words: 'repair reparatur* reparation* reparacion* riparazion* reparatie* reparo*',
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
    words: 'tax duty levy rate-tax steuer* impot* taxe* impuesto* impost* tribut* belasting* skatt* skat',
  },
  { name: 'licence', words: 'licence license permit lic lics lizenz* konzession* licenc* licenz* licenti*' },
  { name: 'fine', words: 'fine penalty bussgeld* amende* multa* boete*' },
  {
    name: 'donation',
    words:
      'donation charity charitable gift-aid spende* don dons donacion* donazion* gift-charity donatie* doacao gava',
  },
  { name: 'gift', words: 'gift present geschenk* cadeau* regalo* omaggi* relatiegeschenk* presente' },
  {
    name: 'book',
    words:
      'book publication magazine newspaper journal periodical npaper literature fachliteratur* zeitschrift* bucher* livre* libro* libri vakliteratuur',
  },
  {
    name: 'depreciation',
    words:
      'depreciation amortization amortisation abschreibung* dotation* amortissement* amortizacion* ammortament* afschrijving* avskrivning*',
  },
  {
    name: 'inventory',
    words:
      'merchandise resale cogs goods-sold wareneinkauf* wareneinsatz* marchandise* mercaderia* mercaderias merci inkoop*',
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
  unclassified:uncategorized licens:license`
    .split(/\s+/)
    .map((pair) => pair.split(':') as [string, string]),
);

/** Words that add nothing to what is meant. */
export const FILLERS: ReadonlySet<string> = new Set(
  `the a an my our your this that its of for and or to in on at by with from as into under incl et und de la le les des du d l
  y e i og och en van voor der die das fur fuer per con del da do
  expense cost account acct category costs spending spend bill payment invoice kosten aufwand aufwendung gasto charges-de
  depense spesa costo custo despesa kostnad omkostning
  monthly annual yearly weekly general business-expense regular various company stuff thing item related`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

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

/** What may stand beside such a word without making it a place of its own: "Other Business Expenses". */
export const CATCH_ALL_COMPANIONS: ReadonlySet<string> = new Set(
  `business operating indirect direct overhead service purchase supply charge fee administration administrative
  administratif betriebliche betrieb externe gestion generale`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** Accounts by which books are put right; only a person who names one means it. */
export const TECHNICAL_ACCOUNTS =
  /\bask (?:my|your|the|an?) (?:accountant|bookkeeper)\b|\bsuspense\b|\bclearing\b|\breconcil|\bdiscrepanc|\bopening balance|\bround(?:ing|[- ]off)\b|\bbudget ?only\b|\bdo not use\b|\bclosed\b|\bunapplied\b|\bundeposited\b|\bexchange (?:gain|loss|rate)|\b(?:un)?realized (?:gain|loss)|\bverrechnungskonto\b|\bcompte d.?attente\b|\bcuenta (?:puente|transitoria)\b/u;

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
