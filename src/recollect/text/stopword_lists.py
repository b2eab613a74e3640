"""The empty words of each language: data for `stopwords`, which says how they are used.

Enters: nothing. Leaves: the lists, unfolded, a string a language. Never: decides anything.
"""
# ruff: noqa: E501, RUF001, SIM905 -- words of other scripts look alike and count double in width; a text is read more easily than a list

from __future__ import annotations

from typing import Literal

Language = Literal["en", "de", "es", "fr", "it", "nl", "pt", "ru", "ar", "ko", "ja", "zh"]

WORDS: dict[Language, str] = {
    "en": """
        a about after again ago all also always am an and another any anybody anyone anything are arent around as at be
        because been before being both but by can cannot cant could couldnt did didnt do does doesnt doing done dont
        during each else ever every everything few for from get gets getting give given go goes going got had hadnt has
        hasnt have havent having he her here hers herself him himself his how however i if im in into is isnt it its
        itself just kind know known last lately let lets like lot made make many may maybe me might mine more most much
        must mustnt my myself neither never no nor not nothing now of off often oh ok okay on once one ones only or
        other others our ours ourselves out over own please quite rather really recently remind said same say saying
        says shall she should shouldnt so some somebody somehow someone something sometimes somewhere soon still stuff
        such sure tell telling than thank thanks that the their theirs them themselves then there these they thing
        things this those though through to today together told tomorrow tonight too under until up upon us very was
        wasnt we well were werent what whatever when whenever where wherever whether which while who whoever whom whose
        why will with within without wont would wouldnt yes yesterday yet you your yours yourself yourselves
    """,
    "de": """
        aber ach alle allem allen aller alles als also am an ander andere anderen anderes auch auf aus bei beim bereits
        bin bis bist bitte da dabei dafür daher damals damit danach dann daran darauf darin darum darüber das dass
        davon dazu dein deine deinem deinen deiner dem den denn der deren des dessen dich die dies diese diesem diesen
        dieser dieses dir doch dort du durch ein eine einem einen einer eines einige einmal er es etwa etwas euch euer
        eure für gab gab's gegen genau gerade gestern gewesen gibt gibt's habe haben hat hatte hatten heute hier hin
        hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer in ins irgendwas irgendwie ist ja jede jedem jeden
        jeder jedes jemand jetzt kann kannst kein keine keinem keinen keiner konnte können könnte man mein meine meinem
        meinen meiner mich mir mit morgen muss musste müssen nach neulich nicht nichts noch nun nur ob oder ohne sache
        sachen sagen sagte sagten schon sehr sein seine seinem seinen seiner seit seitdem selbst sich sie sind so
        sollte sondern sonst soll über um und uns unser unsere unserem unseren unserer unter vom von vor wann war waren
        warum was weil weiter welche welchem welchen welcher welches wem wen wenig wenn wer werde werden weshalb wessen
        wie wieder wieso will wir wird wo wobei wofür woher wohin womit worüber wollte worden wurde wurden während zu
        zum zur zwischen
    """,
    "es": """
        a acerca ahora al algo alguien algún alguna algunas alguno algunos allí antes anteayer aquel aquella aquello
        aquí así aun aunque ayer bien cada casi como cómo con cosa cosas cual cuál cuales cuáles cualquier cuando cuándo
        cuanto cuánto cuántos de decir del desde después dice dijimos dijiste dije dijo donde dónde dos durante e el él
        ella ellas ello ellos en entonces entre era eran eres es esa esas ese eso esos esta está están estaba estado
        estamos estar estas este esto estos estoy favor fue fueron fui ha había habían han hasta hay haya he hemos hizo
        hoy la las le les lo los luego mañana más me mi mí mis mismo mucho muy nada ni no nos nosotros nuestra nuestras
        nuestro nuestros nunca o os otra otras otro otros para pero poco por porque pues puede pueden que qué quien
        quién quiénes sea según ser si sí sido siempre sin sobre sois solo son soy su sus suyo también tampoco tan tanto
        te tenemos tener tengo ti tiene tienen toda todas todavía todo todos tu tú tus un una unas uno unos usted
        ustedes va vamos y ya yo
    """,
    "fr": """
        à afin ai ainsi ait alors après as au aucun aucune aujourd hui auquel aussi autre autres aux avaient avais avait
        avant avec avez avoir avons bien c ça car ce ceci cela celle celles celui cependant ces cet cette ceux chaque
        chez chose choses ci combien comme comment contre d dans de déjà demain depuis des dire dis dit dites donc dont
        du elle elles en encore entre es est et étaient étais était étant été être eu eux fait fois fut hier hors ici il
        ils j jamais je juste l la là laquelle le lequel les lesquelles lesquels leur leurs lors lui m ma mais me même
        mes mien moi moins mon n ne ni non nos notre nous on ont ou où par parce parfois pas pendant peu peut peux plait
        plus plutôt pour pourquoi pouvez qu quand que quel quelle quelles quelque quelques quels qui quoi récemment rien
        s sa sans se sera ses si sien sinon soi soit son sont sous souvent suis sur t ta tandis te tel telle tes toi ton
        toujours tous tout toute toutes très tu un une va vers voici voilà vos votre vous vu y
    """,
    "it": """
        a abbiamo ad adesso agli ai al alcuna alcuni alcuno all alla alle allo allora altra altre altri altro anche
        ancora anni appena avere aveva avete c che chi ci ciò circa cioè coi col come con cos cosa cose così cui da dagli
        dai dal dall dalla dalle dallo degli dei del dell della delle dello dentro detto di dice dietro dire dobbiamo
        domani dopo dov dove dunque durante e è ed ecco era erano essere fa fare fatto favore fino fra già gli ha hai
        hanno ho i ieri il in infatti insieme invece io l la le lei li lo loro lui ma mai me meno mentre mi mia mie miei
        mio molta molte molti molto ne negli nei nel nell nella nelle nello nessuno niente no noi non nostra nostre
        nostri nostro nulla o oggi ogni oppure ora per perché però più po poco poi prima proprio può qua qual quale
        quali qualche qualcosa qualcuno quando quanta quante quanti quanto quei quel quella quelle quelli quello questa
        queste questi questo qui quindi recentemente sarà se sei sempre senza si sì sia siamo siete solo sono sopra
        sotto sta stata stati stato su sua sue sugli sui sul sull sulla sulle sullo suo suoi tra tu tua tue tuo tuoi
        tutta tutte tutti tutto un una uno vi voi vostra vostro
    """,
    "nl": """
        aan achter af al alle alleen alles als altijd andere ben bent bij bijna daar daarna daarom dan dat de deze die
        dingen ding dit doe doen doet door dus echter een eens eerder elk elke en er erg even eergisteren gaan gaat
        geen geweest gisteren graag had hadden haar hebben hebt heeft heel hem hen het hier hij hoe hoeveel hun iemand
        iets ik in is ja je jij jou jouw jullie kan kon kunnen laatst maar maken me mee meer men met mij mijn misschien
        moest moet moeten morgen na naar nee niemand niet niets nog nooit nu of om omdat ons onze ook op over overmorgen
        pas per recent samen sinds soms te tegen tijdens toch toen tot tussen uit uw van vandaag vanaf veel vertel via
        voor voordat waar waarin waarmee waarom waarover wanneer want waren was wat we weer weinig wel welk welke werd
        wie wij wil worden wordt zal ze zeer zeg zegt zei zeiden zelf zich zij zijn zo zoals zonder zou zouden
    """,
    "pt": """
        a agora ainda algo alguém algum alguma algumas alguns amanhã ante antes ao aos aquela aquelas aquele aqueles
        aqui aquilo as às até bem cada coisa coisas com como contra cuja cujo da das de dela delas dele deles depois
        desde dessa desse desta deste disse disso disseram dizer do dos e é ela elas ele eles em enquanto entre era eram
        essa essas esse esses esta está estamos estão estar estas estava este estes estou eu favor fez foi fomos foram
        há hoje isso isto já la lá lhe lhes logo mais mas me mesmo meu meus minha minhas muito na nada não nas nem nessa
        nesse nesta neste ninguém no nos nós nossa nossas nosso nossos num numa nunca o onde ontem os ou outra outras
        outro outros para pela pelas pelo pelos per perante pode podem pois por porque porquê pouco pra quais qual
        qualquer quando quanto quantos que quê quem recentemente se sem sempre sendo ser será seu seus si sido sim só
        sobre sou sua suas também tanta tanto te tem têm temos tenho ter teu teus ti tinha toda todas todo todos tu tua
        tudo um uma umas uns vai você vocês vos
    """,
    "ru": """
        а без более больше был была были было быть бы в вам вами вас ваш ваша ваше ваши вдруг ведь весь во вот впрочем
        все всегда всего всей всем всеми всему всех всю вся всё вчера вы где говорил говорила говорили да даже для до
        долго другая другие другое другой его ее ей ему если есть еще ещё же за завтра зачем здесь и из или им ими
        иногда их к каждый как какая какие каким каких какое какой какую когда кого кому кто куда ли либо лучше между
        меня мне много может можно мной мои мой моя моё мы на над надо нам нами нас наш наша наше наши не него недавно
        нее ней нельзя нет неё ни нибудь никогда ним них ничего но ну о об один одна одно однако он она они оно опять от
        очень перед по под пожалуйста позавчера пока после потом потому почему почти при про просто пусть раз разве с
        сам сама сами свое своего свои свой своих свою себе себя сегодня сейчас сказал сказала сказали скажи со совсем
        сколько та так такая также такие такого такое такой там тебе тебя тем теперь то тобой тогда того тоже той только
        том тот тому ту тут ты у уж уже хоть хотя чего чей чем чему через что чтобы чтоб чуть чья эта эти этим этих это
        этого этой этом этот эту штука я
    """,
    "ar": """
        في من إلى الى على عن مع هذا هذه ذلك تلك هؤلاء أولئك هنا هناك التي الذي الذين اللذان اللتان اللاتي ما ماذا متى
        أين كيف لماذا لم لن لا ليس ليست هل كم أي أية هو هي هم هن أنا أنت أنتم نحن كان كانت كانوا يكون تكون قد لقد
        و أو ثم لكن بل إن أن إذا لو كل بعض غير بين عند عندما بعد قبل حتى منذ خلال حول دون سوى مثل فقط أيضا جدا الآن
        اليوم أمس بالأمس الأمس غدا مؤخرا شيء أشياء الشيء به بها له لها لي لنا لهم فيه فيها منه منها عنه عنها عليه عليها
        قال قالت قلت قلنا رجاء فضلك
    """,
    "ko": """
        은 는 이 가 을 를 의 에 에서 와 과 도 로 으로 만 나 너 저 우리 저희 그 그녀 그들 이것 그것 저것 여기 거기
        저기 나는 나의 내가 너는 네가 당신 제가 저는 우리는 우리가 그는 그녀는 이런 그런 저런 어떤 어느 무슨 무엇 무엇을 뭐
        뭐가 뭐라고 뭘 누구 누가 언제 어디 어디서 어디에 왜 어떻게 얼마나 몇 있다 있는 있었 있었다 있었던 없다 없는 하다 하는
        한 했다 했던 했지 했어 했나 하고 해서 되다 된 되는 이다 입니다 인가 였다 그리고 그래서 그러나 하지만 그런데 또는 또 및 더 덜
        매우 아주 너무 정말 진짜 좀 조금 많이 다시 이미 아직 모두 다 어제 오늘 내일 지금 방금 최근 최근에 아까 나중에
        전에 후에 것 거 건 게 수 등 때 때문 때문에 대해 대한 대해서 관한 관해 관해서 위해 통해 말 말했 말했던 말한 부탁 제발
        알려줘 알려 주세요 해줘 줘
    """,
    "ja": """
        の に は を た が で て と も へ や か から まで より など だけ ので のに のは のが のを には では とは でも ても
        ある いる する した して しました します している していた された される いた いました なる なった なります ない
        なかった だった です でした ます ました ません ましょう という といった について に関する に対して において
        における によって により として これ それ あれ この その あの ここ そこ あそこ こと もの よう ため とき また
        しかし および さらに そして だから 私 僕 俺 彼 彼女 私たち あなた 何 なに 何を 誰 だれ いつ どこ どの どれ どう
        どうして なぜ なんで どんな いくつ 昨日 今日 明日 今 さっき 最近 前回 先ほど ください 教えて 言った 言っていた
        話した
    """,
    "zh": """
        的 了 在 是 我 有 和 就 不 人 都 一 一个 上 也 很 到 说 要 去 你 会 着 没有 看 好 自己 这 那 他 她 它 们 我们
        你们 他们 她们 它们 这个 那个 这些 那些 这里 那里 这样 那样 哪 哪个 哪些 哪里 哪儿 谁 什么 什么时候 时候 怎么
        怎么样 怎样 如何 为什么 为何 多少 几 吗 呢 吧 啊 呀 嘛 把 被 给 让 对 从 向 与 跟 或 或者 及 以及 但 但是 而
        而且 因为 所以 如果 虽然 然后 之前 之后 以前 以后 前 后 已经 正在 刚 刚才 刚刚 还 还是 还有 又 再 只 只是 才
        就是 可以 可能 能 应该 需要 请 请问 帮 帮我 告诉 告诉我 关于 昨天 今天 明天 前天 现在 最近 上次 东西 事情 一些
        一下 说过 这個 那個 我們 你們 他們 沒有 什麼 什麼時候 時候 怎麼 為什麼 誰 嗎 說 說過 關於 這 這些 對 從 與
    """,
}

# Empty words of other languages that are names, things or deeds in English: they prove no language.
FULL_IN_ENGLISH = frozenset(
    """
    ach ad ai al ben bent bin car cause chose come comment con cos dan del den dies die ding dir dire dis doe door dove
    due era even fa fare fat favor fez fit fur fut gab hat hay hem hen hin hun ici il io lo logo man mal male men mes
    met mia mine mit mon na nada once op os pas pass pendant per plus po pour real sale sans sea sei sera sin sole solo
    son soy sue sui sus tale tan tel ten toe todo ton top tot van vers via vos want war wel wens wie
    """.split()
)

KOREAN_PARTICLES = (
    "에서는 에서도 으로는 으로도 에게서 이라고 에서 으로 에게 한테 부터 까지 처럼 보다 마다 조차 밖에 이나 라고 이랑 은 는 이 가 을 "
    "를 의 에 로 와 과 도 만 랑"
).split()  # longest first

# Who speaks. Empty as to what is asked, but what somebody said of themselves says "I" as well.
FIRST_PERSON = """
    i me my mine myself we us our ours ourselves
    ich mich mir mein meine meinem meinen meiner wir uns unser unsere unserem unseren unserer
    yo mi mí mis nosotros nos nuestra nuestras nuestro nuestros
    je moi mon ma mes nous notre nos io mia mie miei mio noi nostra nostre nostri nostro
    ik mij mijn wij ons onze eu meu meus minha minhas nós nossa nossas nosso nossos
    я меня мне мной мой моя моё мои мы нам нами нас наш наша наше наши أنا نحن
    나는 나의 내가 제가 저는 우리 우리는 우리가 저희 我 我们 我們 私 僕 俺 私たち
"""
