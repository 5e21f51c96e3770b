/** Names that designers give the layer that shows the design, in the languages of sold mockups. */

/** "your design", "design here" and similar: the buyer's picture belongs here. */
const yours = [
  // English, German, French, Spanish, Portuguese, Italian, Dutch, Polish
  'your|you',
  'dein|deine|deinen|ihr|ihre|ihren|euer|eure',
  'votre|vos|ton|ta',
  'tu|su',
  'seu|sua|teu|tua',
  'tuo|il tuo|la tua|vostro|vostra',
  'jouw|je|uw',
  'twój|twoj|twoja|twoje',
  // Russian, Turkish
  'ваш|ваша|ваше|твой|твоя',
  'senin|sizin',
].join('|')

const here = [
  'here',
  'hier|einfügen|einsetzen',
  'ici',
  'aquí|aqui',
  'qui|qua',
  'tutaj|tu',
  'здесь|сюда',
  'buraya|burada',
  'を配置|を入れる|はこちら|ここに',
].join('|')

const picture = [
  'design|designs|art|artwork|artworks|logo|logos|sticker|stickers|image|images|picture|photo|photos|poster|label|screen|screens|print|pattern|graphic',
  'entwurf|bild|foto|motiv|plakat|etikett|druck|grafik',
  'dessin|visuel|affiche|étiquette|écran|ecran|maquette',
  'diseño|diseno|imagen|etiqueta|pantalla|arte|cartel',
  'arte|imagem|rótulo|tela|estampa',
  'disegno|immagine|grafica|etichetta|schermo|stampa',
  'ontwerp|afbeelding|beeld|scherm',
  'projekt|obraz|grafika|zdjęcie|plakat|etykieta',
  'дизайн|изображение|картинка|фото|логотип|макет|плакат|принт',
  'tasarım|tasarim|görsel|resim',
  'デザイン|アートワーク|画像|写真|ロゴ|ポスター',
].join('|')

const action = [
  'double[- ]?click|replace|change|edit|insert|place|put',
  'doppelklick|ersetzen|ändern|bearbeiten',
  'double[- ]?clic|remplacer|modifier|insérer',
  'doble clic|reemplazar|cambiar|editar|insertar',
  'clique duplo|substituir|trocar|inserir',
  'doppio clic|sostituisci|modifica|inserisci',
  'dubbelklik|vervang|wijzig',
  'kliknij|zamień|zmień|wstaw',
  'двойной клик|замените|заменить|вставьте|вставить|изменить',
  'ダブルクリック|差し替え|変更|編集',
].join('|')

/** Without `\b`, which supports only Latin letters; Japanese has no spaces between words. */
const words = (alternatives: string): string =>
  `(?<![\\p{L}\\p{N}])(?:${alternatives})(?![\\p{L}\\p{N}])|${alternatives
    .split('|')
    .filter(word => /[\p{scx=Hira}\p{scx=Kana}\p{scx=Han}]/u.test(word))
    .join('|')}`.replace(/\|$/, '')

const form = (pattern: string): RegExp => new RegExp(pattern, 'iu')

/** Names of products and of parts of scenes, in the same languages. */
const product = form(
  words(
    [
      't[- ]?shirts?|shirts?|tees?|hoodies?|sweatshirts?|mugs?|cups?|bottles?|bags?|totes?|caps?|pillows?|cushions?|products?|mock[- ]?ups?|templates?|models?|backgrounds?|bg|shadows?|scenes?|fabrics?',
      'tasse|becher|flasche|tasche|kissen|produkt|vorlage|hintergrund|schatten|stoff',
      'tasse|bouteille|sac|coussin|produit|modèle|arrière-plan|fond|ombre|tissu',
      'camiseta|taza|botella|bolsa|cojín|producto|plantilla|fondo|sombra|tela',
      'caneca|garrafa|sacola|almofada|produto|fundo|sombra|tecido',
      'maglietta|tazza|bottiglia|borsa|cuscino|prodotto|sfondo|ombra|tessuto',
      'mok|fles|tas|kussen|achtergrond|schaduw|stof',
      'koszulka|kubek|butelka|torba|poduszka|produkt|szablon|tło|cień|tkanina',
      'футболка|кружка|бутылка|сумка|подушка|шаблон|фон|тень|ткань',
      'tişört|kupa|şişe|çanta|yastık|ürün|arka plan|gölge|kumaş',
      'シャツ|マグカップ|ボトル|バッグ|クッション|商品|背景|影',
    ].join('|'),
  ),
)

/** The clearest first. */
const forms: readonly RegExp[] = [
  form(`(?:${words(yours)})[\\s_-]*(?:[\\p{L}\\p{N}]+[\\s_-]+)?(?:${words(picture)})`),
  form(`(?:${words(picture)})[\\s_-]*(?:${words(here)})`),
  /^@/,
  form(words(action)),
  form(words(picture)),
]

/** Default names that Photoshop gives, in its languages: they say nothing. */
const defaults = form(
  `^(?:vector smart object|vektor[- ]?smart[- ]?objekt|objet dynamique vectoriel|objeto inteligente vectorial|objeto inteligente vetorial|oggetto avanzato vettoriale|smart object|smart[- ]?objekt|objet dynamique|objeto inteligente|oggetto avanzato|slim object|vectorieel slim object|obiekt inteligentny|wektorowy obiekt inteligentny|смарт-объект|векторный смарт-объект|ベクトルスマートオブジェクト|スマートオブジェクト|layer|ebene|calque|capa|camada|livello|laag|warstwa|слой|レイヤー|rectangle|shape|ellipse)(?:[\\s_-]*\\d+|[\\s_-]*(?:copy|kopie|copie|copia|cópia|kopia|копия)(?:\\s*\\d+)?)*$`,
)

/** How clearly a name says that the design goes here: 5 the clearest, 0 not at all. */
export function scoreName(name: string): number {
  const plain = name.normalize('NFC').trim()
  if (defaults.test(plain)) return 0
  const found = forms.findIndex(each => each.test(plain))
  return found < 0 ? 0 : forms.length - found
}

/** Whether a name says that a layer is the product or a part of its scene, and not the design. */
export const namesProduct = (name: string): boolean => product.test(name.normalize('NFC')) && scoreName(name) === 0
