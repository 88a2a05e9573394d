"""What the views of the service page say, beyond the shell: words.py puts all together."""

from firmware.text.display_words import Words

# fmt: off
SCOPE = {
    "freeze": Words("Figer", "Freeze"),
    "run": Words("Reprendre", "Run"),
    "zoom_in": Words("Agrandir", "Zoom in"),
    "zoom_out": Words("Réduire", "Zoom out"),
    "trigger": Words("Déclenchement", "Trigger"),
    "trigger_off": Words("aucun", "off"),
    "rise": Words("front montant ↑", "rising ↑"),
    "fall": Words("front descendant ↓", "falling ↓"),
    "both": Words("les deux ↕", "either ↕"),
    "mode": Words("Mode", "Mode"),
    "mode_auto": Words("automatique", "auto"),
    "mode_normal": Words("normal", "normal"),
    "mode_single": Words("une fois", "single"),
    "waiting": Words("attend le déclenchement", "waits for the trigger"),
    "triggered": Words("déclenché", "triggered"),
    "free": Words("défile", "rolls"),
    "frozen": Words("figé", "frozen"),
    "cursor_a": Words("Curseur A", "Cursor A"),
    "cursor_b": Words("Curseur B", "Cursor B"),
    "delta": Words("Écart", "Distance"),
    "clear_cursors": Words("Effacer les curseurs", "Clear the cursors"),
    "export": Words("Exporter (VCD)", "Export (VCD)"),
    "held": Words("retenu jusqu'à l'annonce", "held back until the call"),
    "lost": Words("{n} fronts perdus", "{n} edges lost"),
    "edges_s": Words("fronts/s", "edges/s"),
    "traces": Words("Tracés des capteurs", "Traces of the sensors"),
    "hint": Words(
        "Glissez pour déplacer, pincez ou tournez la molette pour zoomer, touchez pour poser"
        " les curseurs A et B. Au clavier : ← et →, + et −, C et V pour A et B au milieu.",
        "Drag to move, pinch or use the wheel to zoom, tap to set the cursors A and B. With"
        " keys: ← and →, + and −, C and V for A and B in the middle."),
}
COUPS = {
    "coup": Words("Coup", "Coup"),
    "number": Words("Numéro", "Number"),
    "time": Words("Heure", "Time"),
    "corrected": Words("corrigé", "corrected"),
    "by_hand": Words("saisi à la main", "entered by hand"),
    "choose": Words("Choisissez un coup.", "Choose a coup."),
    "why": Words("Pourquoi l'annonce est venue alors", "Why the call came then"),
    "timeline": Words("Déroulement", "Timeline"),
    "votes": Words("Votes des capteurs", "Votes of the sensors"),
    "sensor": Words("Capteur", "Sensor"),
    "compartment": Words("Case", "Compartment"),
    "off": Words("Écart", "Off its middle"),
    "at": Words("À", "At"),
    "whole": Words("Tout ce qui est inscrit (en anglais)", "All that is recorded"),
    "login": Words("Connectez-vous pour savoir pourquoi.", "Log in to see why."),
    "rotor": Words("cylindre", "rotor"),
    "ball": Words("bille", "ball"),
    "call": Words("annonce", "call"),
    "drop": Words("chute", "drop"),
    "end": Words("fin", "end"),
    "seconds": Words("secondes depuis le début du coup", "seconds since the coup began"),
}
HISTORY = {
    "lead": Words("Avance de l'annonce", "Lead of the call"),
    "lead_why": Words(
        "de l'annonce à la chute vue, secondes",
        "from the call to the drop as seen, seconds"),
    "rest": Words("Du repos au numéro", "Rest to number"),
    "rest_why": Words(
        "de la première vue de la bille dans sa case au numéro confirmé, secondes",
        "from the ball's first sight in its compartment to the confirmed number, seconds"),
    "voids": Words("Coups nuls", "Voids"),
    "voids_why": Words(
        "sur les 20 coups précédents, pour cent",
        "of the 20 coups before, per cent"),
    "median": Words("médiane {value} s", "median {value} s"),
    "least": Words("minimum {value} s", "least {value} s"),
    "of": Words("{n} coups nuls sur {of}", "{n} voids of {of}"),
    "reasons": Words("Motifs", "Reasons"),
    "bars": Words("Trait rouge : coup nul.", "Red bar: a void coup."),
    "hover": Words(
        "Touchez la courbe pour lire un coup, ou allez-y et prenez ← et →.",
        "Touch the curve to read one coup, or go there and take ← and →."),
    "unknown": Words("inconnu", "not known"),
}
FAULTS_VIEW = {
    "now": Words("En ce moment", "Now"),
    "unknown": Words(
        "Inconnu : le contrôleur ne répond pas.",
        "Unknown: the controller does not answer."),
    "none_now": Words("Aucun défaut en ce moment.", "No fault at this moment."),
    "told": Words("Signalés dans les derniers coups", "Told during the last coups"),
    "all": Words("Tous les défauts et leurs remèdes", "All faults and their remedies"),
    "search": Words("Chercher", "Search"),
    "remedy": Words("Que faire", "What to do"),
    "times": Words("{n} fois", "{n} times"),
    "once": Words("une fois", "once"),
    "last_coup": Words("la dernière fois au coup {coup}", "last in coup {coup}"),
    "notice": Words("signalement, le jeu continue", "notice, play goes on"),
    "void": Words("ce coup est nul", "this coup is void"),
    "lock": Words("le cylindre est bloqué", "the wheel is locked"),
    "none_told": Words("Aucun.", "None."),
}
UPKEEP = {
    "title": Words(
        "Ce qu'il vaut mieux regarder avant la panne",
        "What to look at before it fails"),
    "well": Words("Rien à signaler.", "Nothing to look at."),
    "well_why": Words(
        "D'après les derniers coups, tout va bien.",
        "By the last coups all is well."),
    "now": Words("maintenant", "now"),
    "soon": Words("bientôt", "soon"),
    "recurs": Words(
        "{code} revient : {times} fois.",
        "{code} comes again and again: {times} times."),
    "aside": Words(
        "Le capteur de couronne {sensor} voit la bille {degrees}° à côté des autres.",
        "Ring sensor {sensor} sees the ball {degrees}° beside the others."),
    "aside_remedy": Words(
        "Vérifiez sa fixation, puis étalonnez.",
        "See whether it is loose, then calibrate."),
    "voids": Words(
        "{times} coups nuls sur les {of} derniers.",
        "{times} voids of the last {of} coups."),
    "voids_remedy": Words(
        "Voyez leurs motifs dans « Évolution ».",
        "See their reasons in History."),
    "slips": Words(
        "Le repère zéro a corrigé le codeur dans {times} des {of} derniers coups.",
        "The zero mark corrected the encoder in {times} of the last {of} coups."),
    "slips_remedy": Words(
        "Vérifiez le disque et le câble du codeur.",
        "Check the encoder's disc and cable."),
    "slower": Words(
        "Du repos au numéro : {now_s} s, c'était {then_s} s.",
        "From rest to number {now_s} s; it was {then_s} s."),
    "slower_remedy": Words("Nettoyez les capteurs de couronne.", "Clean the ring sensors."),
    "certificate": Words(
        "Le certificat de cette page a expiré : des navigateurs la refusent.",
        "The certificate of this page has expired: browsers refuse the page."),
    "certificate_remedy": Words(
        "Installez-en un autre, ou retirez page.crt et page.key : la page en refait.",
        "Install another, or remove page.crt and page.key: the page makes new ones."),
    "call_relearning": Words(
        "L'annonce s'apprend à nouveau : le cylindre ou sa bille a changé.",
        "The call is learned anew: the wheel or its ball changed."),
    "call_relearning_remedy": Words(
        "Demandez quelle bille est jouée ; regardez la piste et le niveau.",
        "Ask which ball is played; look at the track and the level."),
    "call_refused": Words(
        "Ce que le cylindre avait appris n'est plus utilisable.",
        "What the wheel had learned is not usable any more."),
    "call_refused_remedy": Words(
        "Rien à faire : il apprend à nouveau.",
        "Nothing is to be done: it learns anew."),
}
PARTS = {
    "displays": Words("Afficheurs", "Displays"),
    "answers": Words("répond", "answers"),
    "silent": Words("ne répond pas", "does not answer"),
    "none": Words("Aucun afficheur n'est raccordé.", "No display is on the line."),
    "others": Words("Autres organes", "Other parts"),
    "asked": Words("Demandé au contrôleur toutes les 2 s.", "Asked of the controller every 2 s."),
    "yes": Words("oui", "yes"),
    "no": Words("non", "no"),
    "not_fitted": Words("absent", "not fitted"),
    "key_journal": Words("Journal", "Journal"),
    "key_rows": Words("lignes", "rows"),
    "key_epoch": Words("époque", "epoch"),
    "key_trouble": Words("ennui", "trouble"),
    "key_fram": Words("FRAM", "FRAM"),
    "key_level": Words("Niveau", "Level"),
    "key_x_mdeg": Words("x, millidegrés", "x, millidegrees"),
    "key_y_mdeg": Words("y, millidegrés", "y, millidegrees"),
    "key_zero_mdeg": Words("zéro, millidegrés", "zero, millidegrees"),
    "key_clock": Words("Horloge", "Clock"),
    "key_utc_s": Words("heure", "time"),
    "key_trusted": Words("sûre", "trusted"),
    "key_line": Words("Ligne des afficheurs", "Line to the displays"),
    "key_port": Words("port", "port"),
    "key_lost": Words("perdue", "lost"),
    "key_asks": Words("questions", "asks"),
    "key_heard_ms": Words("entendu il y a, ms", "heard ago, ms"),
    "key_faults": Words("défauts", "faults"),
    "value_STALE": Words("rien d'entendu", "nothing heard"),
    "value_number": Words("le numéro", "the number"),
    "value_as told": Words("comme demandé", "as told"),
    "value_dash": Words("un tiret", "a dash"),
    "value_other": Words("autre chose", "something else"),
}
JOBS = {
    "selftest_why": Words(
        "Mesure chaque organe et la compare à ses limites : barrières, codeur, moteur dans les"
        " deux sens, niveau, horloge, FRAM, ligne et afficheurs.",
        "Measures each part and compares it with its limits: beams, encoder, motor both ways,"
        " level, clock, FRAM, line and displays."),
    "calibrate_why": Words(
        "Trouve les angles des capteurs et du repère zéro en faisant tourner le cylindre avec"
        " la bille dans une case connue, puis les signe.",
        "Finds the angles of sensors and zero mark by turning the rotor with the ball in a"
        " known pocket, then signs them."),
    "moves": Words(
        "Le cylindre va tourner dans les deux sens. Écartez mains et objets.",
        "The rotor will turn both ways. Keep hands and things away."),
    "begin": Words("Commencer", "Begin"),
    "stop": Words("Arrêter", "Stop"),
    "hand": Words(
        "Avec une main : je passe un doigt devant chaque barrière",
        "With a hand: I pass a finger before each beam"),
    "yes": Words("Fait", "Done"),
    "skip": Words("Passer", "Leave out"),
    "running": Words("En cours, par {who}", "Running, by {who}"),
    "busy": Words("{who} s'en occupe déjà.", "{who} is at it already."),
    "part": Words("Organe", "Part"),
    "measured": Words("Mesure", "Measured"),
    "limits": Words("Limites", "Limits"),
    "outcome": Words("Résultat", "Outcome"),
    "passed": Words("bon", "passed"),
    "failed": Words("mauvais", "failed"),
    "not tested": Words("non testé", "not tested"),
    "not fitted": Words("absent", "not fitted"),
    "incomplete": Words("incomplet", "incomplete"),
    "certificate": Words("Certificat", "Certificate"),
    "stopped": Words("arrêté", "stopped"),
    "signed": Words("signé et gardé", "signed and kept"),
    "drawing": Words("Plan", "Drawing"),
    "uncertain": Words("Incertitude", "Uncertainty"),
    "anew": Words("Recommencer depuis le début", "Begin from the start"),
}
CONFIG = {
    "path": Words("Fichier", "File"),
    "none": Words(
        "Il n'y a pas encore de configuration : chaque choix a sa valeur usuelle.",
        "There is no configuration yet: every choice has its usual value."),
    "sound": Words("Aucune erreur.", "No mistake."),
    "keys": Words("Toutes les clés", "Every key"),
    "key": Words("Clé", "Key"),
    "may_be": Words("Est", "Is"),
    "default": Words("Sans elle", "Left out"),
    "decides": Words("Décide", "Decides"),
    "mistakes": Words("{n} erreurs", "{n} mistakes"),
    "mistake": Words("1 erreur", "1 mistake"),
    "line": Words("ligne {n}", "line {n}"),
    "apply": Words("Appliquer", "Apply"),
    "revert": Words("Revenir au fichier", "Back to the file"),
    "apply_title": Words("Appliquer cette configuration ?", "Apply this configuration?"),
    "apply_why": Words(
        "Le contrôleur redémarre. Si le cylindre ne revient pas, l'ancienne configuration est"
        " rétablie d'elle-même.",
        "The controller starts anew. If the wheel does not come up, the old configuration is"
        " put back by itself."),
    "unchanged": Words("Rien n'est changé.", "Nothing is changed."),
    "moved": Words(
        "Voici ce que vous aviez écrit ; le fichier a changé depuis.",
        "This is what you had written; the file has changed since."),
    "text": Words("Texte de la configuration", "Text of the configuration"),
    "ordered": Words("Confié à l'unité qui l'applique.", "Left with the unit that applies it."),
    "orders": Words("Demandes", "Orders"),
    "waits": Words("attend l'unité de service", "waits for the unit"),
    "order_config": Words("configuration", "configuration"),
    "order_update": Words("mise à jour", "update"),
    "order_rollback": Words("retour à l'autre emplacement", "back to the other slot"),
    "ok": Words("fait", "done"),
    "not_ok": Words("refusé", "refused"),
}
UPDATE = {
    "version": Words("Version", "Version"),
    "install": Words("Installer", "Install"),
    "bundle": Words("Paquet de mise à jour (.raucb)", "Update bundle (.raucb)"),
    "why": Words(
        "Le paquet est signé. Il est vérifié, écrit dans l'emplacement libre, et essayé au"
        " prochain démarrage ; si l'autotest échoue, l'ancienne version revient d'elle-même.",
        "The bundle is signed. It is checked, written to the free slot and tried at the next"
        " start; if the self-test fails, the old version comes back by itself."),
    "sending": Words("Envoi : {percent} %", "Sending: {percent} %"),
    "sent": Words("Reçu. L'unité de service s'en charge.", "Received. The unit goes on with it."),
    "choose": Words("Choisissez un fichier.", "Choose a file."),
    "slots": Words("Emplacements", "Slots"),
    "slot": Words("Emplacement", "Slot"),
    "state": Words("État", "State"),
    "state_unknown": Words("jamais démarré", "never started"),
    "state_half": Words("incomplet", "not whole"),
    "state_new": Words("installé, pas encore essayé", "installed, not tried yet"),
    "state_tried": Words("à l'essai", "being tried"),
    "state_good": Words("bon", "good"),
    "state_failed": Words("échoué", "failed"),
    "running": Words("en marche", "running"),
    "starts_next": Words("démarre la prochaine fois", "starts next"),
    "tried_next": Words(
        "essayé au prochain démarrage, une fois",
        "tried at the next start, once"),
    "rollback": Words("Revenir en arrière", "Go back"),
    "rollback_why": Words(
        "L'autre emplacement garde la version d'avant. S'il a déjà fait ses preuves, le prochain"
        " démarrage l'essaie ; si l'autotest échoue, la version actuelle revient d'elle-même.",
        "The other slot keeps the version before. If it has proved itself, the next start tries"
        " it; if the self-test fails, what runs now comes back by itself."),
    "rollback_title": Words("Revenir à la version {version} ?", "Go back to version {version}?"),
    "rollback_sure": Words(
        "Le prochain démarrage essaie l'emplacement {slot}, version {version}. Rien ne change"
        " avant : éteignez puis rallumez le cylindre quand il ne joue pas.",
        "The next start tries slot {slot}, version {version}. Nothing changes before: switch the"
        " wheel off and on while it does not play."),
    "rollback_left": Words(
        "Confié à l'unité qui s'en charge.",
        "Left with the unit that does it."),
    "on_trial": Words(
        "Ce qui tourne est à l'essai : attendez qu'il soit bon.",
        "What runs is on trial: wait until it is good."),
    "chosen": Words(
        "L'emplacement {slot} est déjà essayé au prochain démarrage.",
        "Slot {slot} is tried at the next start already."),
    "no_way_back": Words(
        "L'autre emplacement n'a rien qui ait fait ses preuves.",
        "The other slot holds nothing that has proved itself."),
    "no_rauc": Words(
        "On ne sait rien ici des emplacements : cette machine n'en a pas (une image du cylindre en"
        " a deux), ou elle n'a pas pu les lire à son démarrage.",
        "Nothing is known of slots here: this machine has none (an image of the wheel has two), or"
        " it could not read them when it started."),
}
LOG = {
    "acts": Words("Actes des techniciens", "Acts of technicians"),
    "note": Words("Note au journal", "Note in the journal"),
    "note_example": Words("barrière 1 nettoyée", "rim beam 1 cleaned"),
    "write": Words("Inscrire", "Write"),
    "written": Words("Inscrit au journal.", "Written in the journal."),
    "support": Words("Paquet d'assistance", "Support bundle"),
    "support_why": Words(
        "Un fichier avec ce qu'il faut pour comprendre une panne loin du cylindre : versions,"
        " configuration, état, journal, certificats, derniers coups. Aucune clé, aucun code PIN."
        " L'acte est inscrit au journal.",
        "One file with what it takes to understand a fault far from the wheel: versions,"
        " configuration, status, journal, certificates, last coups. No key and no PIN. The act is"
        " written in the journal."),
    "support_pack": Words("Préparer et télécharger", "Pack and download"),
    "packing": Words(
        "Préparation… Avec un long journal, cela dure des minutes.",
        "Packing… With a long journal this takes minutes."),
    "packed": Words("Paquet téléchargé.", "Bundle downloaded."),
    "verify": Words("Vérifier le journal", "Verify the journal"),
    "verifying": Words("Vérification…", "Verifying…"),
    "intact": Words("Intact : {what}.", "Intact: {what}."),
    "begun": Words("coup {coup} : commencé", "coup {coup}: begun"),
    "actuation": Words(
        "coup {coup} : cylindre actionné, {way}",
        "coup {coup}: rotor actuated, {way}"),
    "evidence": Words("coup {coup} : ce qui l'explique", "coup {coup}: what explains it"),
    "result": Words("coup {coup} : {number} {colour}", "coup {coup}: {number} {colour}"),
    "void": Words("coup {coup} : nul, {reason}", "coup {coup}: void, {reason}"),
    "correction": Words("coup {coup} : corrigé", "coup {coup}: corrected"),
    "learned": Words(
        "ce que le cylindre a appris de ses chutes",
        "what the wheel has learned of its drops"),
    "checkpoint": Words("point de contrôle signé", "signed checkpoint"),
    "epoch": Words("époque {epoch} commencée", "epoch {epoch} begins"),
    "rotation": Words("nouvelle clé", "another key"),
    "stakes": Words("coup {coup} : {count} mises scellées", "coup {coup}: {count} stakes sealed"),
    "employee": Words("{who} à la table", "{who} at the table"),
    "cleared": Words("débloqué par {who}", "cleared by {who}"),
    "fram": Words("la FRAM manque", "without the FRAM"),
    "act": Words("{who} : {what} {detail}", "{who}: {what} {detail}"),
}
ABOUT = {
    "board": Words("Carte", "Board"),
    "version": Words("Version du programme", "Program version"),
    "fingerprint": Words(
        "Empreinte SHA-256 du certificat",
        "SHA-256 fingerprint of the certificate"),
    "viewers": Words("Pages ouvertes", "Open pages"),
    "clients": Words("Liaisons au contrôleur", "Lines to the controller"),
    "loop": Words("Âge de la boucle", "Age of the loop"),
    "offline": Words(
        "Rien de cette page ne vient d'ailleurs, et rien ne quitte le cylindre.",
        "Nothing on this page comes from elsewhere, and nothing leaves the wheel."),
}
# fmt: on
TOOLS = {
    "scope": SCOPE,
    "coups": COUPS,
    "history": HISTORY,
    "faults": FAULTS_VIEW,
    "upkeep": UPKEEP,
    "parts": PARTS,
    "jobs": JOBS,
    "config": CONFIG,
    "update": UPDATE,
    "log": LOG,
    "about": ABOUT,
}
