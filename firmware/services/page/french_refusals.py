"""The French of what the controller and the page refuse, and of what acts say.

On the left each sentence as the code has it, {} for what is filled in; on the right its French with
the same {} in the same order, as firmware/services/page/french_told.py. The browser puts in what
was filled in (static/said.mjs); what is not known stays English.
"""

# fmt: off
REFUSALS = {
    # the page: server.py, acts.py, jobs.py, line.py, queries.py, orders.py
    "You are not logged in.": "Vous n'êtes pas connecté.",
    "Log in first.": "Connectez-vous d'abord.",
    "This was not asked by the page itself.": "Ceci n'a pas été demandé par la page elle-même.",
    "Load the page again.": "Rechargez la page.",
    "Too many attempts from this device: none is heard for {} s.":
        "Trop d'essais depuis cet appareil : aucun n'est écouté pendant {} s.",
    "Wait, then try again.": "Attendez, puis réessayez.",
    "{} is not as it must be.": "{} n'est pas comme il faut.",
    "Send {}.": "Envoyez {}.",
    "Only a supervisor may do that.": "Seul un responsable peut faire cela.",
    "Only a supervisor may move the rotor.": "Seul un responsable peut faire tourner le cylindre.",
    "Let a supervisor log in.": "Qu'un responsable se connecte.",
    "The bundle is empty.": "Le paquet est vide.",
    "Choose another file.": "Choisissez un autre fichier.",
    "Choose another.": "Choisissez-en un autre.",
    "It has {} mistakes.": "Erreurs trouvées : {}.",
    "Correct them first.": "Corrigez-les d'abord.",
    "Somebody else leaves an order at this moment.":
        "Quelqu'un d'autre dépose une demande en ce moment.",
    "Try again in a minute.": "Réessayez dans une minute.",
    "{} has the wheel in service.": "{} a le cylindre hors service.",
    "Ask {}, or take it over.": "Demandez à {}, ou reprenez-le.",
    "The bundle did not arrive whole. Send it again.":
        "Le paquet n'est pas arrivé entier. Renvoyez-le.",
    "Longer than {} bytes: that is no bundle of ours.":
        "Plus de {} octets : ce n'est pas un paquet à nous.",
    "Nothing is running.": "Rien n'est en cours.",
    "Begin it first.": "Commencez d'abord.",
    "{} is at it already.": "{} s'en occupe déjà.",
    "Wait, or ask them to stop.": "Attendez, ou demandez l'arrêt.",
    "There is no such job.": "Ce travail n'existe pas.",
    "{} began this.": "{} a commencé ceci.",
    "Ask {}.": "Demandez à {}.",
    "The controller does not answer.": "Le contrôleur ne répond pas.",
    "See that the wheel is switched on; the page comes back by itself.":
        "Vérifiez que le cylindre est allumé ; la page reprend d'elle-même.",
    "Too many people ask at once.": "Trop de demandes à la fois.",
    "Ask again in a moment.": "Redemandez dans un instant.",
    "That is too long.": "C'est trop long.",
    "Say it shorter.": "Dites-le plus court.",
    "No edges were seen yet.": "Aucun front n'a encore été vu.",
    "Open the oscilloscope, wait for edges, then export them.":
        "Ouvrez l'oscilloscope, attendez des fronts, puis exportez-les.",
    "There is no such coup.": "Ce coup n'existe pas.",
    "There is no slot to go back to now.": "Il n'y a pas d'emplacement où revenir maintenant.",
    "Look at how the slots stand.": "Voyez l'état des emplacements.",
    "The slots do not stand any more as they were shown.":
        "Les emplacements ne sont plus comme ils étaient montrés.",
    "Look again, then ask again.": "Regardez à nouveau, puis redemandez.",
    "It takes too long here. Run cylindre journal verify at the wheel.":
        "Cela dure trop longtemps ici. Lancez cylindre journal verify au cylindre.",
    "It takes too long here. Try again while the wheel does not play.":
        "Cela dure trop longtemps ici. Réessayez quand le cylindre ne joue pas.",
    # packing: tools/technician/support
    "{} would hold a secret of {}, so nothing was written. Take it out there, or leave it out:"
    " --without {}.":
        "{} contiendrait un secret de {} ; rien n'a été écrit. Retirez-le, ou laissez cette partie"
        " de côté : --without {}.",
    "A name or an error's text would hold a secret of {}, so nothing was written. Give --without"
    " the part that fails.":
        "Un nom ou un texte d'erreur contiendrait un secret de {} ; rien n'a été écrit. Donnez"
        " --without et la partie en cause.",
    "Cannot write {}: {}.": "{} ne peut être écrit : {}.",
    # orders: firmware/services/device/order_runner.py, tools/commands/orders.py
    "No supervisor's act in the journal orders this file: ask for it again on the page.":
        "Aucun acte d'un responsable au journal ne demande ce fichier : redemandez-le sur la page.",
    "That is no order: ask for it again on the page.":
        "Ce n'est pas une demande : redemandez sur la page.",
    "The order's file: {}. Ask for it again.": "Le fichier de la demande : {}. Redemandez.",
    "The file is not the one that was ordered: ask for it again.":
        "Le fichier n'est pas celui qui a été demandé : redemandez.",
    "{} ordered it: it would be carried out.": "Demandé par {} : ce serait fait.",
    "{} cannot be read: remove it if no order has been carried out since the last start.":
        "{} est illisible : retirez-le si rien n'a été exécuté depuis le dernier démarrage.",
    "This is a mistake in cylindre itself ({}). Report it with the log of cylindre-orders.":
        "C'est une erreur de cylindre lui-même ({}). Signalez-la avec le journal système de"
        " cylindre-orders.",
    "{} is in slot {}. The next restart tries it, once.":
        "{} est dans l'emplacement {}. Le prochain démarrage l'essaie, une fois.",
    # going back: firmware/services/update
    "The next restart tries slot {}, version {}, once.":
        "Le prochain démarrage essaie l'emplacement {}, version {}, une fois.",
    "Slot {} is tried at the next start already.":
        "L'emplacement {} est déjà essayé au prochain démarrage.",
    "The slots do not stand any more as whoever asked for it saw them: slot {} runs. Look again.":
        "Les emplacements ne sont plus comme les voyait qui l'a demandé : l'emplacement {} est en"
        " marche. Regardez à nouveau.",
    "The slots do not stand any more as whoever asked for it saw them: slot {} holds {}. Look"
    " again.":
        "Les emplacements ne sont plus comme les voyait qui l'a demandé : l'emplacement {} contient"
        " {}. Regardez à nouveau.",
    "That does not say which slot to go back to: ask for it again.":
        "Cela ne dit pas à quel emplacement revenir : redemandez.",
    "Slot {} holds nothing that has proved itself ({}). Install a bundle instead: {} or newer.":
        "L'emplacement {} n'a rien qui ait fait ses preuves ({}). Installez plutôt un paquet : {}"
        " ou plus récent.",
    "What runs in slot {} has not proved itself yet, and the other slot is the way back: wait until"
    " cylindre update status calls it good, or restart.":
        "Ce qui tourne dans l'emplacement {} n'a pas encore fait ses preuves, et l'autre est le"
        " chemin de retour : attendez que la page le dise bon, ou redémarrez.",
    "Somebody else is updating this wheel. Wait until that is done.":
        "Quelqu'un d'autre met ce cylindre à jour. Attendez la fin.",
    "This machine was not started from a slot of a wheel's card: it takes no updates.":
        "Cette machine n'a pas démarré d'un emplacement d'une carte de cylindre : pas de mise à"
        " jour.",
    # the controller: firmware/api, firmware/keys/people.py
    "Nobody is logged in with that session.": "Cette session n'est celle de personne.",
    "The session {}.": "La session {}.",
    "has ended": "a pris fin",
    "is of somebody who has that role no more": "est de quelqu'un qui n'a plus ce rôle",
    "Log in again.": "Reconnectez-vous.",
    "{} is {}.": "{} est {}.",
    "Let a {} do that.": "Demandez-le à un {}.",
    "supervisor": "responsable",
    "technician": "technicien",
    "Nobody can have a PIN here.": "Personne ne peut avoir de code PIN ici.",
    "Nobody has a PIN here.": "Personne n'a de code PIN ici.",
    "Give it a people file.": "Donnez-lui un fichier des personnes.",
    "Start the controller with a people file.":
        "Démarrez le contrôleur avec un fichier des personnes.",
    "There is a supervisor already.": "Il y a déjà un responsable.",
    "Let a supervisor add people.": "Qu'un responsable ajoute des personnes.",
    "A coup is open.": "Un coup est en cours.",
    "Wait until it has ended.": "Attendez sa fin.",
    "Two ask for that at once.": "Deux personnes le demandent à la fois.",
    "One of you ask again.": "Que l'une redemande.",
    "This wheel keeps no calibration.": "Ce cylindre ne garde pas d'étalonnage.",
    "Start it with its keys.": "Démarrez-le avec ses clés.",
    "A turn comes with its speed and time.": "Une rotation a sa vitesse et sa durée.",
    "Send rpm and for_s.": "Envoyez rpm et for_s.",
    "Too many requests wait.": "Trop de demandes attendent.",
    "Ask again in a second.": "Redemandez dans une seconde.",
    "Then ask again.": "Puis redemandez.",
    "Ask again.": "Recommencez.",
    "Wait, then ask again.": "Attendez, puis redemandez.",
    "{}: the name or the PIN is wrong.": "{} : le nom ou le code PIN est faux.",
    "{}: wrong PINs were given, so none is heard for {} s.":
        "{} : des codes faux ont été donnés ; aucun n'est écouté pendant {} s.",
    "{}: nobody has a PIN here, for there is no {}.":
        "{} : personne n'a de code PIN ici, car {} n'existe pas.",
    "Add people with {}.": "Ajoutez des personnes avec {}.",
    "A name has 1 to {} printable characters and no space at its ends.":
        "Un nom a de 1 à {} caractères imprimables, sans espace au bout.",
    "A PIN has {} to {} printable characters and no space at its ends.":
        "Un code PIN a de {} à {} caractères imprimables, sans espace au bout.",
    "A PIN has at least 3 different characters.":
        "Un code PIN a au moins 3 caractères différents.",
    "{} is there already.": "{} y est déjà.",
    # the core, as its fault P10
    "P10: What was asked is not done: {}": "Refusé : {}",
    "Look at the state of the coup and ask again.":
        "Voyez où en est le coup, puis redemandez.",
    "the wheel is not out of play for service.": "le cylindre n'est pas hors service.",
    "{} has the wheel in service: take it over first.":
        "{} a le cylindre hors service : reprenez-le d'abord.",
    "the rotor has to come to rest first: let it run out.":
        "le cylindre doit d'abord s'arrêter : laissez-le finir.",
    "a coup is open: it has to end first.": "un coup est en cours : il doit d'abord finir.",
    "the wheel is out of play already, in state {}.":
        "le cylindre est déjà hors jeu, à l'état {}.",
    "the rotor is turned on demand only out of play, for service.":
        "le cylindre ne tourne à la demande que hors service.",
    "no motor turns this rotor.": "aucun moteur ne tourne ce cylindre.",
    # the journal
    "There is no journal {}: no coup was played there. Give the table's.":
        "Le journal {} n'existe pas : aucun coup n'y a été joué. Donnez celui de la table.",
    "{} is no journal of a wheel. Give another, or move it away.":
        "{} n'est pas le journal d'un cylindre. Donnez-en un autre, ou déplacez-le.",
    "Cannot read the journal {}: {}.": "Le journal {} ne peut être lu : {}.",
    "{}: nothing was kept that explains the call of coup {}.":
        "{} : rien n'explique l'annonce du coup {}.",
    "{}: a row there is not as a wheel writes it. See which with cylindre journal verify.":
        "{} : une ligne n'est pas comme un cylindre l'écrit. Voyez laquelle avec cylindre"
        " journal verify.",
}
# What is written down of an act; a note and a reason are people's own words.
ACTS = {
    "runs out": "laissé s'arrêter",
    "ccw, {} rpm, {} s": "sens inverse des aiguilles, {} tr/min, {} s",
    "cw, {} rpm, {} s": "sens des aiguilles, {} tr/min, {} s",
    "proven by the button": "prouvé par le bouton",
    "signed and kept; it holds from the next start":
        "signé et gardé ; il vaut dès le prochain démarrage",
    "stopped that of {}": "arrêté, de {}",
    "somebody unknown, {} in a row": "inconnu, {} de suite",
    "{}, {} in a row": "{}, {} de suite",
}
# fmt: on
